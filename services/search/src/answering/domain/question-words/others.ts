// Languages that belong to no group. See index.ts.

export const finnish = `
  milloin koska kuinka miten miksi minne mistä missä mihin montako moni monta paljonko paljon usein aina sijaitsee sijaita löytyy löytää
  löytyi löydetty jää jäädä nimi maksaa maksoi kestää kesti alkaa alkoi aloittaa päättyy päättyä loppuu loppua päätyy pätee menee mennä
  meni tulee tulla tuli tekee tehdä teki tehty tapahtuu tapahtua tapahtui ottaa otti saa saada sai antaa antoi tuo pitää piti maksetaan
  ostaa myy myydä tilata tilaa toimittaa toimitetaan lähettää lähetetään aukeaa sulkea sulkeutuu toimii toimia työskentelee asuu asua elää
  eli kuoli kuolla syntyi syntyä syntynyt rakensi rakentaa rakennettu keksi keksiä keksitty löysi perusti perustettu kirjoitti kirjoittaa
  kirjoitettu lukee lukea sanoo sanoa puhuu puhua tietää tuntee tarkoittaa merkitsee näyttää sisältää kuuluu säilytetään säilyttää
  säilytetty varastoidaan tallennetaan käyttää käytetään tarvitsee tarvitaan tarpeen muuttaa muuttuu saavuttaa sallittu kielletty
  peruuttaa irtisanoa mahdollinen tärkeä saatavilla vastuussa suuri iso koko pieni pitkä pituus lyhyt korkea korkeus syvä leveä painaa
  vanha ikä uusi hyvä parempi paras ensimmäinen viimeinen seuraava aikainen myöhään aika vuosi kuukausi viikko päivä tunti minuutti
  päivämäärä numero määrä paikka laji tapa syy tarkoitus osa asia ihminen henkilö mies nainen lapsi talo maailma maa kaupunki kysymys
  vastaus esimerkki ongelma tapaus hinta summa arvo väri
`;

export const hungarian = `
  hol mikor hogyan hogy miért honnan hová melyik mennyi mennyibe meddig hány milyen gyakran mindig soha van vannak található találni
  találja fekszik áll maradt marad hívják kerül tart kezdődik kezd kezdeni kezdődött végződik befejeződik ér érvényes megy menni ment jön
  jönni csinál csinálni tesz tenni vesz venni kap kapni ad adni hoz hozni fizet fizetni vásárol vásárolni elad eladni rendel rendelni
  szállít szállítani küld küldeni nyit nyitni zár zárni működik működni történik történt dolgozik lakik él élni meghalt született épít
  építeni épült feltalálta feltalálni felfedezte felfedezni alapította alapítani ír írni írta olvas mond mondani beszél tud tudni ismer
  jelent jelenteni mutat tartalmaz tartalmazni tartozik tárolják tárolni tárol őrzik őrizni használ használni kell szükséges változtat
  elér szabad engedélyezett tilos lemondani felmondani lehetséges fontos elérhető felelős nagy méret kicsi kis hosszú rövid magas magasság
  mély széles nehéz régi öreg új jó jobb legjobb első utolsó következő korai késő idő év hónap hét nap óra perc dátum név szám hely fajta
  mód ok cél rész dolog ember személy férfi nő gyerek ház világ ország város kérdés válasz példa probléma eset ár összeg érték mennyiség
  szín
`;

export const russian = `
  где когда как какой какая какое какие почему зачем сколько откуда куда кто чей который часто всегда никогда находится находиться
  находятся расположен лежит лежать стоит стоять висит остается остаётся называется зовут стоимость длится длиться начинается начинаться
  начался начать заканчивается закончился кончается действует идет идёт идти пришел прийти приходит делает делать сделать сделал берет
  взять получает получить получил дает даёт дать приносит держать платит платить оплатить купить покупает продает продать заказать
  доставляет доставить отправляет отправить открывается открыть открыт закрывается закрыть работает работать происходит произошло
  случилось живет живёт жить умер умерла родился родилась построил построен построить изобрел изобрёл изобретен изобрести открыл основал
  основан создал создан написал написать написан читает говорит говорить сказал знает знать значит означает показывает содержит содержать
  принадлежит хранится хранить хранят хранятся сохранить используется использовать использует нужен нужно нужны нужна требуется изменить
  изменяется достигает можно может могут должен разрешено запрещено отменить возможно важный доступен ответственный отвечает большой
  размер маленький длинный длина короткий долго высокий высота глубокий широкий вес весит старый возраст новый хороший лучший первый
  последний следующий рано поздно время год лет месяц неделя день час минута дата имя название номер число количество место вид тип способ
  причина цель часть вещь человек люди мужчина женщина ребенок дом мир страна город вопрос ответ пример проблема случай цена сумма
  значение цвет
`;

/** Languages without a stemmer: each word in the only form in which it matches. */
export const none = `
  gdzie kiedy jak jaki jaka jakie ile kto czy dlaczego która który które znajduje leży kosztuje trwa zaczyna kończy przechowywany
  przechowywana przechowywane przechowuje
  kde kdy jaký jaká jaké kolik kdo proč která který které nachází leží stojí trvá začíná končí uložen uložena uloženo
  nerede nereye nereden zaman nasıl kaç kim niçin neden hangi bulunur bulunuyor başlar başlıyor biter kadar saklanır saklanıyor tutulur
  де коли як який яка яке скільки хто чому знаходиться лежить коштує триває починається закінчується зберігається
  πού πότε πώς ποιος ποια ποιο πόσο πόσα γιατί βρίσκεται κοστίζει διαρκεί αρχίζει τελειώνει φυλάσσεται
  أين متى كيف كم ماذا لماذا هل يوجد توجد يقع تقع يبدأ تبدأ ينتهي يكلف تكلف يحفظ تحفظ
  איפה מתי איך כמה למה האם איזה נמצא נמצאת מתחיל נגמר עולה נשמר
  mana kapan bagaimana berapa siapa apa mengapa terletak mulai berakhir disimpan
  đâu khi nào bao nhiêu ai gì tại sao bắt đầu kết thúc giữ
  troba costa comença acaba desa
`;
