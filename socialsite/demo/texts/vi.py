"""Posts in Vietnamese."""

from socialsite.demo.texts.language import Language, read_posts, read_words

POSTS = """
Bà ngoại nấu phở từ bốn giờ sáng. Cả xóm thức dậy bằng mùi quế, không ai cần đồng hồ. 🍜
%
Hà Nội sáng nay sương mờ, hồ lặng như tờ, chỉ có mấy bác tập thể dục là nhanh hơn mùa thu.
%
Có ai trồng được cà chua trên sân thượng không? Cây của mình cao lắm, nhưng hình như chỉ thích
ngắm cảnh. #vườn
%
Tìm lỗi cả ngày, hóa ra thiếu đúng một dấu ngoặc. Tối nay tự thưởng một bát chè. #lậptrình
%
Trên chuyến tàu đêm, một chú tặng mình nửa quả bưởi và cả câu chuyện đời. Đến ga mà chưa muốn
xuống. 🚆
%
Mọi người hay đọc sách lúc nào? Mình thì lúc trời mưa, mà dạo này trời nắng quá. #sách
%
Ông nội tập gõ tin nhắn.

Tin đầu tiên ông gửi cả nhà là một dấu chấm hỏi. Mười phút sau ông gọi: "Ông chỉ muốn hỏi các
con ăn cơm chưa."
%
Đạp xe ra biển đón bình minh. Ba mươi cây số, hai lần tuột xích, một mặt trời tròn vo. 🚲
%
@carol mình làm sủi cảo theo video của bạn rồi nhé! Hơi giống bánh bao, nhưng cả nhà vẫn khen.
%
Mưa rào đầu mùa, cả con phố đứng chung một mái hiên. Tự nhiên ai cũng quen nhau. 🌧️
%
Niềm vui nhỏ: quán cà phê quen nhớ mình uống ít đường.
%
Em bé nhà bên học đàn bầu. Ba tháng rồi, hôm nay nghe ra được một câu hát ru. 🎶
%
Dạy bọn trẻ nhìn sao Kim. Một bạn hỏi: "Cô ơi, nó sáng thế thì có tốn điện không?" ✨ #khoahọc
"""

WORDS = read_words(
    post="{when} {did}. {end} | {when} {did}. | {ask} | {ask} {please} | {joy_when}: {joy}. {end}",
    when="Sáng nay | Tối qua | Chủ nhật | Sau cơn mưa | Trên đường về | Buổi trưa | Cuối cùng thì",
    did="""
    nhà mình nấu {dish} {how} | {who} mang cho mình {dish} | mình đọc xong {book}
    mình đạp xe {km} cây số {where} | mình gặp {animal} {where} | {plant} ngoài ban công đã ra hoa
    {who} cho mình mượn {book} | cả nhà đi dạo {where}
    mình xóa bớt mã cũ mà mọi thứ vẫn chạy tốt | cả nhóm ngồi hát {where}
    mình với {who} uống trà {where}
    """,
    who="cô hàng xóm | chị đồng nghiệp | em trai | bạn cũ | bác bán rau | dì mình",
    dish="canh chua | bánh xèo | cháo đậu xanh | bún riêu | chè bí đỏ | nem rán | xôi gấc",
    how="""
    không cần công thức | theo cách của bà | cho cả xóm | hơi nhiều tỏi | vừa nấu vừa nghe đài
    """,
    book="""
    một cuốn tiểu thuyết về hải đăng | cuốn lịch sử muối | tập bản đồ các hòn đảo | một tập thơ cũ
    cuốn sách về đi bộ
    """,
    where="ven sông | gần biển | trong phố cổ | quanh hồ | sau nhà ga | trên đồi chè",
    km="10 | 16 | 24 | 33 | 45",
    animal="""
    một con cò trắng | một chú mèo đang ngủ | hai con sóc | một đàn vịt rất nghiêm túc
    một con chim sâu
    """,
    plant="hoa giấy | cây ớt | hoa hồng | cây quất | hoa mười giờ",
    ask="""
    Mọi người làm gì với {thing}? | Ai có lời khuyên về {thing} không?
    Ai có kỷ niệm với {thing} không?
    """,
    thing="vé tàu cũ | chiếc xe đạp kêu cót két | cây cảnh mùa đông | thư viết tay | năm cân táo",
    please="Chuyện dài mình cũng đọc. | Mình nghe hết. | Cảm ơn trước nhé!",
    joy_when="Niềm vui nhỏ | Điều vui nhất tuần | Ghi vào nhật ký | Chuyện làm mình cười",
    joy="""
    mùi bánh mì sớm mai | chỗ ngồi cạnh cửa sổ | lá thư có tem thật | buổi chiều không kế hoạch
    một vòng đi bộ {where}
    """,
    end="""
    Còn mọi người? | Đời vui thật. | Nên thử nhé. | Mai lại tiếp. | Giờ vẫn còn cười. | Thế thôi.
    """,
    emoji="🌿 | ☀️ | 😊 | 🚲 | ☕ | 📚 | ✨ | 🐈",
    tag="#hằngngày | #niềmvuinhỏ | #cuốituần | #dạophố | #ởnhà",
)

LANGUAGE = Language("vi", read_posts(POSTS), WORDS)
