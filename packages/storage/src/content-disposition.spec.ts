import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentDisposition } from './content-disposition.js';

test('plain names stay readable, other names keep their exact form beside an ASCII one', () => {
  assert.equal(contentDisposition('inline'), 'inline');
  assert.equal(
    contentDisposition('attachment', 'report 1.pdf'),
    `attachment; filename="report 1.pdf"; filename*=UTF-8''report%201.pdf`,
  );
  assert.equal(
    contentDisposition('attachment', "naïve (1)'s.txt"),
    `attachment; filename="na_ve (1)'s.txt"; filename*=UTF-8''na%C3%AFve%20%281%29%27s.txt`,
  );
});

test('no name breaks out of its header, names another folder or disguises its extension', () => {
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
    assert.match(header, /^attachment; filename="[^"\\/\r\n]+"; filename\*=UTF-8''[\w.~%!#$&+^`|-]+$/);
    assert.doesNotMatch(decodeURIComponent(header), /[\r\n\u202e]/);
  }
});

test('overlong names lose their middle, never their extension', () => {
  const header = contentDisposition('attachment', `${'é'.repeat(500)}.pdf`);
  assert.ok(header.length < 1000);
  assert.match(header, /\.pdf$/);
});
