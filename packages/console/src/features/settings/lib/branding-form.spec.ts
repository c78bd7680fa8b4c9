import { describe, expect, it } from '@jest/globals';
import { textOn } from '../../../ui/contrast.js';
import { brandingFormOf, brandingRequestOf, isColor } from './branding-form.js';

describe('the branding', () => {
  it('is sent only as far as it has changed, and a blank value removes the stored one', () => {
    const form = { ...brandingFormOf({ name: 'Acme', color: null, logo: null }), name: ' ', color: '#1a2b3c' };
    expect(brandingRequestOf(form, new Set(['name', 'color']))).toStrictEqual({ name: null, color: '#1a2b3c' });
    expect(brandingRequestOf(form, new Set())).toStrictEqual({});
  });

  it('has text that can be read on its color', () => {
    expect(['#1a2b3c', '#b43d0c', '#ffcc00', '#ffffff'].map(textOn)).toStrictEqual([
      '#ffffff',
      '#ffffff',
      '#000000',
      '#000000',
    ]);
    expect(['#1A2b3c', 'red', '#123'].map(isColor)).toStrictEqual([true, false, false]);
  });
});
