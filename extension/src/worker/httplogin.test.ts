import {expect, test} from 'vitest';
import {type Challenge, mayHave} from './httplogin';

function challenge(change: Partial<Challenge['authChallenge']>, url = 'https://a.test/x'): Challenge {
  const authChallenge = {source: 'Server' as const, origin: 'https://a.test', scheme: 'basic', realm: 'r', ...change};
  return {authChallenge, frameId: 'f', request: {url}};
}

test('a login is for the servers of its own origins, and never for a proxy', () => {
  const login = {credentials: 'ada:x', onlyOn: ['https://a.test', 'http://b.test:8080']};
  expect(mayHave(challenge({}), login)).toBe(true);
  expect(mayHave(challenge({scheme: 'Digest'}), login)).toBe(true);
  expect(mayHave(challenge({origin: 'http://b.test:8080'}, 'http://b.test:8080/'), login)).toBe(true);
  expect(mayHave(challenge({source: 'Proxy'}), login)).toBe(false);
  expect(mayHave(challenge({scheme: 'ntlm'}), login)).toBe(false);
  expect(mayHave(challenge({origin: 'http://a.test'}), login)).toBe(false);
  expect(mayHave(challenge({}, 'https://other.test/x'), login)).toBe(false);
  expect(mayHave(challenge({origin: 'https://other.test'}, 'https://other.test/'), login)).toBe(false);
  expect(mayHave(challenge({}), {...login, onlyOn: []})).toBe(false);
});
