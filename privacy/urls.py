"""The addresses of what people do with their own data."""

from django.urls import path, re_path

from privacy.erasure import views as erasure
from privacy.export import views as export
from privacy.holds import views as holds
from privacy.importing import views as importing
from privacy.old_posts import views as old_posts

app_name = "privacy"

HOLD = "moderation/holds/<slug:kind>/<id:subject_id>"

urlpatterns = [
    path("settings/export", export.export, name="data_export"),
    path("settings/export/download", export.open_file, name="open_export"),
    path("settings/export/file", export.send_export, name="send_export"),
    path("settings/import", importing.bring_files, name="import"),
    path("settings/import/<id:transfer_id>", importing.report, name="import_report"),
    path("settings/import/<id:transfer_id>/file", importing.send_report, name="send_import_report"),
    path("settings/import/<id:transfer_id>/stop", importing.stop, name="stop_import"),
    path("settings/import/<id:transfer_id>/delete", importing.delete, name="delete_import_report"),
    path("settings/old-posts", old_posts.old_posts, name="old_posts"),
    path("settings/old-posts/wish", old_posts.wish, name="wish_old_posts"),
    path("settings/old-posts/keep", old_posts.keep, name="keep_old_posts"),
    path("settings/old-posts/delete", old_posts.delete, name="delete_old_posts"),
    path("settings/old-posts/stop", old_posts.stop, name="stop_deleting"),
    path("settings/close", erasure.close, name="close_account"),
    path("settings/close/keep", erasure.keep, name="keep_account"),
    path("moderation/holds", holds.holds, name="holds"),
    path(f"{HOLD}/confirm", holds.confirm, name="confirm_hold"),
    path(f"{HOLD}/renew", holds.renew, name="renew_hold"),
    path(f"{HOLD}/release", holds.release, name="release_hold"),
    re_path(r"^erased/(?P<receipt_id>[\w-]{22})$", erasure.show, name="receipt"),
]
