import { expect, test } from '@jest/globals';
import { contentDisposition } from './content-disposition.js';

test('plain names stay readable, other names are sent in exact form and in ASCII', () => {
  expect(contentDisposition('inline')).toBe('inline');
  expect(contentDisposition('attachment', 'report 1.pdf')).toBe(
    `attachment; filename="report 1.pdf"; filename*=UTF-8''report%201.pdf`,
  );
  expect(contentDisposition('attachment', "naïve (1)'s.txt")).toBe(
    `attachment; filename="na_ve (1)'s.txt"; filename*=UTF-8''na%C3%AFve%20%281%29%27s.txt`,
  );
});

test('no filename ends its header, names another folder or disguises its extension', () => {
  const hostile = [
    'a"; x="b',
    'a\r\nSet-Cookie: x',
    '../../etc/passwd',
    'c:\\a.txt',
    '\u202efdp.exe',
    '..',
    '',
    '\ud800',
    'a\\"',
  ];
  for (const name of hostile) {
    const header = contentDisposition('attachment', name);
    expect(header).toMatch(/^attachment; filename="[^"\\/\r\n]+"; filename\*=UTF-8''[\w.~%!#$&+^`|-]+$/);
    expect(decodeURIComponent(header)).not.toMatch(/[\r\n\u202e]/);
  }
});

test('long filenames are truncated and keep their extension', () => {
  const header = contentDisposition('attachment', `${'é'.repeat(500)}.pdf`);
  expect(header.length).toBeLessThan(1000);
  expect(header).toMatch(/\.pdf$/);
});
