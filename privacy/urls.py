"""The addresses of what people do with their own data."""

from django.urls import path, re_path

from privacy.views import (
    close_account,
    delete_old_posts,
    export,
    old_posts,
    receipt,
    wish_old_posts,
)

app_name = "privacy"

urlpatterns = [
    path("settings/export", export.export, name="data_export"),
    path("settings/export/download", export.open_file, name="open_export"),
    path("settings/export/file", export.send_export, name="send_export"),
    path("settings/old-posts", old_posts.old_posts, name="old_posts"),
    path("settings/old-posts/wish", wish_old_posts.wish, name="wish_old_posts"),
    path("settings/old-posts/keep", wish_old_posts.keep, name="keep_old_posts"),
    path("settings/old-posts/delete", delete_old_posts.delete, name="delete_old_posts"),
    path("settings/old-posts/stop", delete_old_posts.stop, name="stop_deleting"),
    path("settings/close", close_account.close, name="close_account"),
    path("settings/close/keep", close_account.keep, name="keep_account"),
    re_path(r"^erased/(?P<receipt_id>[\w-]{22})$", receipt.show, name="receipt"),
]
