import { describe, expect, it } from '@jest/globals';
import { decodeText } from './decode-text.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/\s/g, ''), 'hex');

const utf32 = (text: string): Buffer =>
  Buffer.from(Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0).buffer);

describe('a text in a legacy character set is decoded, as short as a table of two lines', () => {
  it.each([
    [
      'shift_jis',
      '名前,都市\n田中太郎,東京\n佐藤花子,大阪\n',
      '96bc914f2c93738e730a9363928691be98592c938c8b9e0a8db293a189d48e712c91e58de30a',
    ],
    ['shift_jis', '商品,ｶﾅ\nコーヒー,ｶﾀｶﾅ\n', '8fa495692cb6c50a8352815b8371815b2cb6c0b6c50a'],
    ['euc-jp', 'これは日本語の文章です。\n', 'a4b3a4eca4cfc6fccbdcb8eca4cecab8becfa4c7a4b9a1a30a'],
    [
      'iso-2022-jp',
      '名前,都市\n田中,東京\n',
      '1b24424c3e41301b28422c1b244245543b541b28420a1b2442454443661b28422c1b2442456c357e1b28420a',
    ],
    ['gb18030', '姓名,城市\n张三,北京\n', 'd0d5c3fb2cb3c7cad00ad5c5c8fd2cb1b1bea90a'],
    ['big5', '姓名,城市\n王小明,台北\n', 'a96da6572cabb0a5ab0aa4fda470a9fa2ca578a55f0a'],
    ['euc-kr', '이름,도시\n김철수,서울\n', 'c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a'],
    ['windows-1251', 'Имя;Город\nИван;Москва\n', 'c8ecff3bc3eef0eee40ac8e2e0ed3bcceef1eae2e00a'],
    ['koi8-r', 'Имя;Город\nИван;Москва\n', 'e9cdd13be7cfd2cfc40ae9d7c1ce3bedcfd3cbd7c10a'],
    [
      'ibm866',
      'Имя;Адрес\nИван Петров;Москва, улица Ленина\n',
      '88acef3b80a4e0a5e10a88a2a0ad208fa5e2e0aea23b8caee1aaa2a02c20e3aba8e6a0208ba5ada8ada00a',
    ],
    ['windows-1253', 'Όνομα;Πόλη\nΓιώργος;Αθήνα\n', 'bcedefece13bd0fcebe70ac3e9fef1e3eff23bc1e8deede10a'],
    [
      'windows-1254',
      'Adı;Şehir\nAyşe;İstanbul\nÇağrı;Eskişehir\n',
      '4164fd3bde656869720a4179fe653bdd7374616e62756c0ac761f072fd3b45736b69fe656869720a',
    ],
    ['windows-1256', 'الاسم;المدينة\nمحمد;القاهرة\n', 'c7e1c7d3e33bc7e1e3cfede4c90ae3cde3cf3bc7e1dec7e5d1c90a'],
    [
      'windows-1250',
      'Imię;Miasto\nŁukasz;Łódź\nMałgorzata;Kraków\n',
      '496d69ea3b4d696173746f0aa3756b61737a3ba3f3649f0a4d61b3676f727a6174613b4b72616bf3770a',
    ],
    [
      'windows-1257',
      'Šiaulių miestas yra Lietuvoje, čia gyvena žmonės.\n',
      'd06961756c69f8206d69657374617320797261204c69657475766f6a652c20e8696120677976656e6120fe6d6f6eeb732e0a',
    ],
    ['windows-874', 'ชื่อ,จังหวัด\nสมชาย,กรุงเทพ\n', 'aad7e8cd2ca8d1a7cbc7d1b40acac1aad2c22ca1c3d8a7e0b7be0a'],
    [
      'windows-1250',
      'Příliš žluťoučký kůň úpěl ďábelské ódy.\n',
      '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f364792e0a',
    ],
    ['windows-1252', '„Größe“ – 5 € … it’s fine\n', '844772f6df6593209620352080208520697492732066696e650a'],
  ] as const)('%s', (encoding, text, hex) => {
    expect(decodeText(bytes(hex))).toStrictEqual({ encoding, text });
  });
});

describe('a text in windows-1252 is decoded although it has hardly a letter beyond ASCII', () => {
  it.each([
    ['Name;Preis\nÖl;5,00\nHolz;7,50\n'],
    ['25 °C, 5 ±1'],
    ['£5 a piece\n'],
    ['§ 5 Abs. 2\n'],
    ['½ cup, 3 × 4 of 10 µm\n'],
    ['à la carte\n'],
    ['100 % – ÖPNV'],
    ['Kiln™ and “kilns”…\n'],
  ])('%j', (text) => {
    const codes: Readonly<Record<string, number>> = { '–': 0x96, '™': 0x99, '“': 0x93, '”': 0x94, '…': 0x85 };
    const content = Buffer.from(Array.from(text, (character) => codes[character] ?? character.charCodeAt(0)));
    expect(decodeText(content)).toStrictEqual({ encoding: 'windows-1252', text });
  });

  it('unless its letters are those of another character set, which would be signs within words', () => {
    expect(decodeText(Buffer.from('m¹ka i ¿urek', 'latin1')).text).not.toMatch(/[¹¿]/);
    expect(decodeText(bytes('9285919220 8f90888220'))).toMatchObject({ encoding: 'ibm866' });
  });
});

describe('a text in Unicode is decoded', () => {
  const japanese = '名前\n田中';
  const encoded: [encoding: string, content: Buffer][] = [
    ['utf-16le', Buffer.from(japanese, 'utf16le')],
    ['utf-16be', Buffer.from(japanese, 'utf16le').swap16()],
    ['utf-32le', utf32(japanese)],
    ['utf-32be', utf32(japanese).swap32()],
  ];
  it.each(encoded)('in %s, with a byte order mark and without', (encoding, content) => {
    const mark = encoding.startsWith('utf-16') ? Buffer.from('\ufeff', 'utf16le') : utf32('\ufeff');
    const isBigEndian = encoding.endsWith('be');
    const bigMark = encoding.startsWith('utf-16') ? Buffer.from(mark).swap16() : Buffer.from(mark).swap32();
    const marked = Buffer.concat([isBigEndian ? bigMark : mark, content]);
    for (const given of [content, marked]) expect(decodeText(given)).toStrictEqual({ encoding, text: japanese });
  });

  it('although a byte of it is damaged, or its last character is cut', () => {
    const text = 'Grüße aus Köln, schöne Wörter für Bücher, Gärten, Höfe, Flüsse und Städte: äöüß ÄÖÜ äöü ';
    const damaged = Buffer.concat([Buffer.from(text), Buffer.of(0xc3)]);
    expect(decodeText(damaged)).toStrictEqual({ encoding: 'utf-8', text: `${text}\ufffd` });
  });
});

describe('a declared character set', () => {
  it('is used where the bytes are not UTF-8', () => {
    expect(decodeText(Buffer.from('za\xbf\xf3\xb3\xe6', 'latin1'), 'iso-8859-2').text).toBe('zażółć');
    expect(decodeText(Buffer.from('Köln'), 'iso-8859-2').text).toBe('Köln');
  });

  it('that no one knows, or that the bytes contradict, is ignored', () => {
    const japanese = bytes('96bc914f2c93738e730a936392862c938c8b9e0a');
    for (const hint of ['no-such-set', 'euc-jp']) expect(decodeText(japanese, hint).encoding).toBe('shift_jis');
  });
});

it('a long text is decoded by the part of it that is not ASCII', () => {
  const ascii = 'id,name,city\n'.repeat(20_000);
  const content = Buffer.concat([Buffer.from(ascii), bytes('93639286 2c 938c8b9e 0a'), Buffer.from(ascii)]);
  expect(decodeText(content).encoding).toBe('shift_jis');
});
