import {describe, expect, it} from 'vitest';
import {accepted, bytesOf} from './filerules';

const pdf = {name: 'Über uns.PDF', mimeType: 'application/pdf'};
const photo = {name: 'a.b.jpeg', mimeType: 'image/jpeg; q=1'};

describe('accepted', () => {
  it.each([
    ['', pdf, true],
    [' , ', pdf, true],
    ['.pdf', pdf, true],
    ['.PDF, .txt', pdf, true],
    ['application/pdf', pdf, true],
    ['image/*', pdf, false],
    ['image/*,.pdf', pdf, true],
    ['image/*', photo, true],
    ['IMAGE/JPEG', photo, true],
    ['.jpg', photo, false],
    ['text/plain', {name: 'x', mimeType: ''}, false],
    ['*/*', {name: 'x', mimeType: ''}, true],
  ])('%j', (accept, file, fits) => {
    expect(accepted(file, accept)).toBe(fits);
  });
});

describe('bytesOf', () => {
  it('decodes every byte', () => {
    expect(bytesOf('AP+A/w==')).toEqual(new Uint8Array([0, 255, 128, 255]));
    expect(bytesOf('')).toEqual(new Uint8Array());
  });

  it('refuses what is no base64', () => {
    for (const text of ['a', '$$$$', 'data:,x']) expect(bytesOf(text)).toBeUndefined();
  });
});
