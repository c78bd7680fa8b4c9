// Words of sentences on any subject that are missing in Snowball's lists of stop words. Snowball has no list for Romanian, and none for the
// languages that are indexed without a stemmer.
import type { TextLanguage } from '@kiln/contracts';

export const grammaticalWords: Readonly<Partial<Record<TextLanguage, string>>> = {
  french: `a as ont eu est-il est-elle est-ce sont-ils sont-elles a-t-il a-t-elle y-a-t-il`,
  german: `wer wem wen wurde wurden worden`,
  italian: `chi cosa perché`,
  portuguese: `é à quê`,
  romanian: `
    de la în și cu pe un o al ale ai a este sunt era că ca din pentru care nu se mai sau ce dar să fi am are au fost lui ei lor acest această
    acestea aceste acel acea prin după până fără între sub peste dacă cel cea cei cele îl îi le unui unei iar toate tot toți către spre`,
  none: `
    jest są co się w na z do od i nie to ma o dla
    je jsou se v k ve že
    mi mı mu mü bir ve bu da de için ile ne
    що є у на з і та не в до
    τι είναι ο η το οι τα του της των στο στη στον και με για από σε να
    من ما أي هو هي في على إلى عن
    של את על הוא היא מי מה
    di dan untuk dari ke pada yang adalah
    ở thế là của và có được cho
    on quan com quant qui què per és són està el la els les un una`,
};
