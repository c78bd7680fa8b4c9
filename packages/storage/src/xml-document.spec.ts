import { expect, it } from '@jest/globals';
import { isXmlDocument } from './xml-document.js';

it.each([
  '<List></List>',
  '<?xml version="1.0"?>\n<List xmlns="http://a/">x</List>\n',
  '\uFEFF<?xml version="1.0"?><a:List><a:Key/></a:List >',
])('a document is complete when the requested root element is closed: %j', (text) => {
  expect(isXmlDocument(text, 'List')).toBe(true);
});

it.each([
  '',
  '<?xml version="1.0"?>',
  '<Lists></Lists>',
  '<List><Key>',
  '<List></List><List>',
  '<html><List></List></html>',
  '<!DOCTYPE List [<!ENTITY a "b">]><List></List>',
  '{"List": true}',
])('a document is refused without the requested root element, or with an open one: %j', (text) => {
  expect(isXmlDocument(text, 'List')).toBe(false);
});
