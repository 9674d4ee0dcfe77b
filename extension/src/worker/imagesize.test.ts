import {expect, test} from 'vitest';
import {imageSize} from './imagesize';

const base64 = (...bytes: number[]): string => btoa(String.fromCharCode(...bytes));

const png = base64(
  0x89,
  0x50,
  0x4e,
  0x47,
  13,
  10,
  26,
  10,
  0,
  0,
  0,
  13,
  73,
  72,
  68,
  82,
  0,
  0,
  5,
  0,
  0,
  0,
  3,
  0x20,
  8,
  6,
);
const riff = [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50];

test('the size of a PNG stands in its first chunk', () => {
  expect(imageSize(png)).toEqual({width: 1280, height: 800});
});

test('the size of a JPEG stands in its frame header, after other segments', () => {
  const app0 = [0xff, 0xe0, 0, 4, 1, 2];
  const huffman = [0xff, 0xc4, 0, 4, 1, 2];
  const frame = [0xff, 0xc0, 0, 11, 8, 0x01, 0xc9, 0x03, 0x20, 1, 1, 0x11, 0];
  expect(imageSize(base64(0xff, 0xd8, ...app0, ...huffman, ...frame))).toEqual({width: 800, height: 457});
});

test('each of the three kinds of WebP has its own place for it', () => {
  const lossy = [0x56, 0x50, 0x38, 0x20, 0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x43, 0xc9, 0x01];
  const lossless = [0x56, 0x50, 0x38, 0x4c, 0, 0, 0, 0, 0x2f, 0x1f, 0x03, 0x72, 0x00, 0, 0, 0, 0, 0];
  const extended = [0x56, 0x50, 0x38, 0x58, 10, 0, 0, 0, 0, 0, 0, 0, 0x7a, 0, 0, 0x4c, 0, 0];
  expect(imageSize(base64(...riff, ...lossy))).toEqual({width: 800, height: 457});
  expect(imageSize(base64(...riff, ...lossless))).toEqual({width: 800, height: 457});
  expect(imageSize(base64(...riff, ...extended))).toEqual({width: 123, height: 77});
});

test('what is no picture, or cut short, has no size', () => {
  expect(imageSize('')).toBeUndefined();
  expect(imageSize(btoa('GIF89a'))).toBeUndefined();
  expect(imageSize(png.slice(0, 16))).toBeUndefined();
  expect(imageSize(base64(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2))).toBeUndefined();
});
