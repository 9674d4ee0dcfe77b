import {describe, expect, it} from 'vitest';
import {Snapshots, changes} from './since';

const before = [
  '- main',
  '  - heading "Cart" level=1',
  '  - list',
  '    - listitem',
  '      - text "Milk"',
  '      - button "Remove" [ref=e1]',
  '    - listitem',
  '      - text "Bread"',
  '      - button "Remove" [ref=e2]',
  '  - button "Pay" [ref=e3] disabled',
];

describe('changes', () => {
  it('says nothing of what is the same', () => {
    expect(changes(before, before)).toEqual([]);
  });

  it('tells what is new in its place, what is other, and what is gone', () => {
    const now = [
      '- main',
      '  - heading "Cart" level=1',
      '  - list',
      '    - listitem',
      '      - text "Bread"',
      '      - button "Remove" [ref=e2]',
      '    - listitem',
      '      - text "Salt"',
      '      - button "Remove" [ref=e9]',
      '  - button "Pay" [ref=e3]',
    ];
    expect(changes(before, now)).toEqual([
      '- main',
      '  - list',
      '    - listitem',
      '      + text "Salt"',
      '      + button "Remove" [ref=e9]',
      '  ~ button "Pay" [ref=e3]',
      'gone: e1',
      'gone: text "Milk"',
    ]);
  });

  it('writes what holds two changes once', () => {
    expect(changes([], ['- main', '  - button "A" [ref=e1]'])).toEqual(['+ main', '  + button "A" [ref=e1]']);
    const now = [...before, '  - button "A" [ref=e4]', '  - form', '    - button "B" [ref=e5]'];
    expect(changes(before, now)).toEqual([
      '- main',
      '  + button "A" [ref=e4]',
      '  + form',
      '    + button "B" [ref=e5]',
    ]);
  });
});

describe('Snapshots', () => {
  it('keeps the last few of each tab, of their kind', () => {
    const kept = new Snapshots('x');
    const action = {type: 'snapshot', interactive: true} as const;
    const id = kept.keep(1, action, before) ?? '';
    expect(kept.get(1, action, id)).toMatchObject({lines: before});
    expect(kept.get(2, action, id)).toHaveProperty('why');
    expect(kept.get(1, {type: 'snapshot'}, id)).toHaveProperty('why');
    for (let i = 0; i < 4; i++) kept.keep(1, action, []);
    expect(kept.get(1, action, id)).toHaveProperty('why');
    kept.forget(1);
    expect(kept.keep(1, action, [])).not.toBe(id);
  });
});
