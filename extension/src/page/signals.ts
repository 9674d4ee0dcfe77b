/** What the page shows of itself that its text does not say. */

import type {Rect} from './visibility';

const CAPTCHA_HOSTS = [
  'challenges.cloudflare.com',
  'hcaptcha.com',
  'recaptcha.net',
  'arkoselabs.com',
  'funcaptcha.com',
  'captcha-delivery.com',
  'geetest.com',
  'perimeterx.net',
  'px-cloud.net',
  'smartcaptcha.yandexcloud.net',
  'captcha.com',
];

// Smaller frames are beacons: what a person is to tick or solve is larger.
const LEAST_WIDTH = 100;
const LEAST_HEIGHT = 40;

/**
 * IsCaptcha tells whether an iframe is a captcha that a person is asked to solve: of a known maker, of a size
 * to work with, and not the badge of one that watches in the background.
 */
export function isCaptcha(frame: Element, rect: Rect): boolean {
  if (rect.right - rect.left < LEAST_WIDTH || rect.bottom - rect.top < LEAST_HEIGHT) return false;
  if (frame.closest('.grecaptcha-badge') !== null) return false;
  return isCaptchaAddress(frame.getAttribute('src') ?? '', frame.ownerDocument.baseURI);
}

/** IsCaptchaAddress tells whether a frame with this address is a captcha to solve, not an invisible one. */
export function isCaptchaAddress(src: string, base: string): boolean {
  if (src === '' || !URL.canParse(src, base)) return false;
  const {hostname, pathname, search, hash} = new URL(src, base);
  if (/[?&#]size=invisible\b/.test(search + hash)) return false;
  if (CAPTCHA_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return true;
  return /(^|\.)google\.[a-z.]+$/.test(hostname) && pathname.startsWith('/recaptcha/');
}
