// A contract of two pages, for pictures of citations.
import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';

const [WIDTH, HEIGHT, MARGIN, SIZE, PITCH] = [595, 842, 72, 11, 15];

const pages = [
  [
    '# Lease of a studio',
    '## 1 Premises',
    'The landlord lets to the tenant the studio on the second floor of the mill at Harwick, with the kiln room and the shared yard. The studio measures 64 square metres. The tenant may use the goods lift on weekdays from seven in the morning until eight in the evening.',
    '## 2 Rent',
    'The monthly rent is 1,150 euros, payable on the third working day of each month. Heating and water are charged separately, by consumption, once a year. The landlord may raise the rent for the first time after 24 months, and by at most 4 percent.',
    '## 3 Deposit',
    'The tenant pays a deposit of three monthly rents before the keys are handed over. The landlord returns it within six weeks after the end of the lease, less any sums that are owed.',
  ],
  [
    '## 4 Kiln',
    'The kiln belongs to the landlord. It may be fired up to 1,260 degrees, and never without the extractor running. The tenant keeps a log of each firing. Repairs of the elements are at the expense of the tenant, all other repairs at the expense of the landlord.',
    '## 5 Termination',
    'Either party may terminate the lease by the end of a quarter. Notice must be given in writing, at least three months before, and must reach the other party by registered letter. If the tenant owes two monthly rents, the landlord may terminate the lease without notice.',
    '## 6 Return',
    'At the end of the lease the studio is returned empty and swept. Shelves that the tenant has built may stay, if the landlord agrees.',
  ],
];

export async function drawContract(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [text, bold] = [
    await document.embedFont(StandardFonts.TimesRoman),
    await document.embedFont(StandardFonts.TimesRomanBold),
  ];
  for (const blocks of pages) {
    const page = document.addPage([WIDTH, HEIGHT]);
    let y = MARGIN;
    for (const block of blocks) {
      if (block.startsWith('# ')) y = drawLines(page, bold, 20, block.slice(2), y + 20);
      else if (block.startsWith('## ')) y = drawLines(page, bold, 13, block.slice(3), y + 22);
      else y = drawLines(page, text, SIZE, block, y + 6);
    }
  }
  return document.save();
}

/** Returns the base line below the last one. */
function drawLines(page: PDFPage, font: PDFFont, size: number, text: string, top: number): number {
  let [line, y] = ['', top];
  const draw = () => {
    page.drawText(line, { x: MARGIN, y: HEIGHT - y, size, font });
    y += PITCH;
  };
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) > WIDTH - 2 * MARGIN) {
      draw();
      line = word;
    } else line = longer;
  }
  draw();
  return y;
}
