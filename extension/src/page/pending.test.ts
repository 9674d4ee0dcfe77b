// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {Pending} from './pending';

const el = (): Element => document.createElement('button');
const row = (uid: string): {uid: string; role: string} => ({uid, role: 'button'});

describe('Pending', () => {
  it('tells until it was seen', () => {
    const pending = new Pending();
    pending.appear(el(), row('e1'));
    pending.lose(undefined, 'e0');
    const first = pending.delta(2);
    expect(first).toMatchObject({appeared: [row('e1')], gone: ['e0'], next: 2});
    pending.seen(first.seq - 1);
    const second = pending.delta(2);
    expect(second.appeared).toEqual([row('e1')]);
    // The first went nowhere: what was added since is in the second only.
    pending.seen(first.seq);
    expect(pending.any).toBe(true);
    pending.seen(second.seq);
    expect(pending.any).toBe(false);
  });

  it('is silent about what came and went, and what went and came', () => {
    const pending = new Pending();
    const [a, b] = [el(), el()];
    pending.appear(a, row('e1'));
    pending.lose(a, 'e1');
    pending.lose(b, 'e2');
    pending.appear(b, row('e2'));
    expect(pending.delta(3)).toMatchObject({appeared: [], gone: []});
  });

  it('tells the last state of what appeared', () => {
    const pending = new Pending();
    const a = el();
    pending.appear(a, row('e1'));
    pending.alter(a, {...row('e1'), name: 'Now'});
    expect(pending.delta(2)).toMatchObject({appeared: [{uid: 'e1', role: 'button', name: 'Now'}], altered: []});
  });

  it('follows what is drawn anew twice', () => {
    const pending = new Pending();
    pending.renew('e1', 'e5');
    pending.renew('e5', 'e9');
    expect(pending.delta(10).renewed).toEqual([['e1', 'e9']]);
  });

  it('cuts what is too long to tell', () => {
    const pending = new Pending();
    for (let i = 0; i < 900; i++) pending.lose(undefined, `e${i.toString()}`);
    expect(pending.delta(900)).toMatchObject({partial: true});
  });
});
