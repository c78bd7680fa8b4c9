// Draws the PDF and the picture of the button "Load samples", in public/samples. All of its documents were written for Kiln.
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const folder = fileURLToPath(new URL('../public/samples/', import.meta.url));
mkdirSync(folder, { recursive: true });
const save = (name, content) => writeFileSync(join(folder, name), content);

const contract = [
  ['Supply contract', 20],
  ['between Harbour Clay Ltd ("the Supplier") and Riverside Studio ("the Buyer")', 11],
  ['', 11],
  ['1. Goods', 13],
  ['The Supplier delivers 400 kilograms of stoneware clay a month, in bags of 12.5 kilograms.', 11],
  ['', 11],
  ['2. Price', 13],
  ['The price is 0.78 pounds a kilogram. It is fixed until 31 December 2027.', 11],
  ['', 11],
  ['3. Delivery', 13],
  ['Deliveries arrive on the first Tuesday of the month. If a delivery is more than five', 11],
  ['working days late, the Buyer may take 5 % off its price.', 11],
  ['', 11],
  ['4. Notice', 13],
  ['Each party may end the contract with three months of notice, in writing.', 11],
];
const pdf = await PDFDocument.create();
pdf.setTitle('Supply contract');
// The same bytes each time.
pdf.setCreationDate(new Date('2026-11-27T00:00:00Z'));
pdf.setModificationDate(new Date('2026-11-27T00:00:00Z'));
const font = await pdf.embedFont(StandardFonts.Helvetica);
const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
const page = pdf.addPage([595, 842]);
let y = 770;
for (const [text, size] of contract) {
  page.drawText(text, { x: 64, y, size, font: size > 11 ? bold : font, color: rgb(0.1, 0.1, 0.12) });
  y -= size * 1.6;
}
save('supply-contract.pdf', await pdf.save());

const curve = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" font-family="DejaVu Sans, Helvetica, sans-serif">
  <rect width="960" height="540" fill="#ffffff"/>
  <text x="60" y="58" font-size="30" fill="#1a1a1d">Glaze firing of the large kiln</text>
  <g stroke="#d8d7d4"><path d="M90 460H900M90 360H900M90 260H900M90 160H900"/></g>
  <g font-size="18" fill="#5c5d66">
    <text x="28" y="466">0 °C</text><text x="22" y="366">400</text><text x="22" y="266">800</text><text x="16" y="166">1200</text>
    <text x="90" y="498">0 h</text><text x="340" y="498">6 h</text><text x="600" y="498">12 h</text><text x="850" y="498">18 h</text>
  </g>
  <path d="M90 460 L280 400 L420 250 L560 148 L620 145 L760 300 L900 420" fill="none" stroke="#c2410c" stroke-width="5"/>
  <text x="560" y="124" font-size="20" fill="#c2410c">1260 °C, held for 20 minutes</text>
</svg>`;
save('firing-curve.png', await sharp(Buffer.from(curve)).png({ palette: true }).toBuffer());
