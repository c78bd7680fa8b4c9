import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isXmlDocument } from './xml-document.js';

it('a document is whole when its root is the one that was asked for, and ends', () => {
  for (const text of [
    '<List></List>',
    '<?xml version="1.0"?>\n<List xmlns="http://a/">x</List>\n',
    '\uFEFF<?xml version="1.0"?><a:List><a:Key/></a:List >',
  ]) {
    assert.ok(isXmlDocument(text, 'List'), text);
  }
  for (const text of [
    '',
    '<?xml version="1.0"?>',
    '<Lists></Lists>',
    '<List><Key>',
    '<List></List><List>',
    '<html><List></List></html>',
    '<!DOCTYPE List [<!ENTITY a "b">]><List></List>',
    '{"List": true}',
  ]) {
    assert.ok(!isXmlDocument(text, 'List'), text);
  }
});
