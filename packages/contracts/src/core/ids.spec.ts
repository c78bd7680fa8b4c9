import { expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { decodeId, encodeId, idPrefixes, idSchema, type IdKind } from './ids.js';

fc.configureGlobal({ seed: testSeed() });

const kinds = Object.keys(idPrefixes) as IdKind[];

it('every uuid comes back from its id, for every kind', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uuid(), (kind, uuid) => {
      const id = encodeId(kind, uuid);
      expect(id).toMatch(new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`));
      expect(decodeId(kind, id)).toBe(uuid);
    }),
  );
});

it('agrees with the example of the TypeID specification', () => {
  expect(encodeId('file', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('file_01h455vb4pex5vsknk084sn02q');
});

it('an id of another kind is no id', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.constantFrom(...kinds), fc.uuid(), (kind, other, uuid) => {
      fc.pre(kind !== other);
      expect(decodeId(other, encodeId(kind, uuid))).toBeNull();
    }),
  );
});

it('text that is no id gives null and never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(decodeId('file', text)).toBeNull()));
  fc.assert(fc.property(fc.string({ minLength: 26, maxLength: 26 }), (text) => void decodeId('file', `file_${text}`)));
  // More than 128 bits.
  expect(decodeId('file', 'file_8zzzzzzzzzzzzzzzzzzzzzzzzz')).toBeNull();
  // Ids are lower case.
  expect(decodeId('file', 'file_01H455VB4PEX5VSKNK084SN02Q')).toBeNull();
});

it('the schema accepts exactly what can be decoded', () => {
  const schema = idSchema('file');
  const suffix = fc.stringMatching(/^[0-9a-z]{26}$/);
  fc.assert(
    fc.property(
      fc.oneof(
        suffix.map((text) => `file_${text}`),
        fc.uuid().map((uuid) => encodeId('file', uuid)),
      ),
      (id) => {
        expect(schema.safeParse(id).success).toBe(decodeId('file', id) !== null);
      },
    ),
  );
});
