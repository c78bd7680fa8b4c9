import { expect, it } from '@jest/globals';
import { isXmlDocument } from './xml-document.js';

it('a document is complete when it has the requested root element and the root is closed', () => {
  for (const text of [
    '<List></List>',
    '<?xml version="1.0"?>\n<List xmlns="http://a/">x</List>\n',
    '\uFEFF<?xml version="1.0"?><a:List><a:Key/></a:List >',
  ]) {
    expect([text, isXmlDocument(text, 'List')]).toStrictEqual([text, true]);
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
    expect([text, isXmlDocument(text, 'List')]).toStrictEqual([text, false]);
  }
});
