import {describe, expect, it} from 'vitest';
import {isCaptchaAddress} from './signals';

const base = 'https://shop.test/page';

describe('isCaptchaAddress', () => {
  it.each([
    'https://challenges.cloudflare.com/cdn-cgi/challenge-platform/h/b/turnstile/if/ov2/av0/rcv/abc',
    'https://newassets.hcaptcha.com/captcha/v1/abc/static/hcaptcha.html#frame=checkbox&id=1&size=normal',
    'https://www.google.com/recaptcha/api2/anchor?ar=1&k=abc&size=normal',
    'https://www.google.co.uk/recaptcha/api2/bframe?k=abc',
    'https://www.recaptcha.net/recaptcha/enterprise/anchor?k=abc',
    'https://geo.captcha-delivery.com/captcha/?initialCid=abc',
    '//www.google.com/recaptcha/api2/anchor?k=abc',
  ])('knows %s', (src) => {
    expect(isCaptchaAddress(src, base)).toBe(true);
  });

  it.each([
    '',
    'about:blank',
    'https://www.google.com/recaptcha/api2/anchor?k=abc&size=invisible',
    'https://newassets.hcaptcha.com/captcha/v1/abc/static/hcaptcha.html#frame=checkbox-invisible&size=invisible',
    'https://www.google.com/maps/embed?pb=1',
    'https://nothcaptcha.com/x',
    'https://hcaptcha.com.evil.test/x',
    '/recaptcha/local',
  ])('does not take %j for one', (src) => {
    expect(isCaptchaAddress(src, base)).toBe(false);
  });
});
