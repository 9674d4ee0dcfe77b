import {describe, expect, it} from 'vitest';
import {type Candidate, labelOf, matchOption, optionText} from './optionmatch';

function option(label: string, value?: string, disabled = false): Candidate {
  return {names: [label], values: value === undefined ? [] : [value], disabled};
}

describe('matchOption', () => {
  const [us, de] = [option('United States', 'US'), option('Germany', 'DE')];

  it('finds by label and by value', () => {
    expect(matchOption([us, de], 'Germany')).toEqual({found: de});
    expect(matchOption([us, de], 'US')).toEqual({found: us});
    expect(matchOption([us, de], '  United\n States ')).toEqual({found: us});
  });

  it('is exact: neither case nor a part counts', () => {
    for (const wanted of ['germany', 'Germ', 'us', '']) expect(matchOption([us, de], wanted)).toEqual({none: true});
  });

  it('refuses a text that is the label of one and the value of another', () => {
    const [alpha, tricky] = [option('Alpha', 'a'), option('Tricky', 'Alpha')];
    expect(matchOption([alpha, option('Beta', 'b'), tricky], 'Alpha')).toEqual({several: [alpha, tricky]});
    expect(matchOption([alpha, tricky], 'a')).toEqual({found: alpha});
    expect(matchOption([alpha, tricky], 'Tricky')).toEqual({found: tricky});
  });

  it('refuses two of one label, unless their values are one as well', () => {
    expect(matchOption([option('Springfield', 'il'), option('Springfield', 'ma')], 'Springfield')).toHaveProperty(
      'several',
    );
    expect(matchOption([option('Springfield'), option('Springfield')], 'Springfield')).toHaveProperty('several');
    const twice = [option('Again', 'x'), option('Again', 'x')];
    expect(matchOption(twice, 'Again')).toEqual({found: twice[0]});
  });

  it('says that an option is disabled, and passes it over where another is meant as well', () => {
    const off = option('Banana', 'b', true);
    expect(matchOption([us, off], 'Banana')).toEqual({disabled: off});
    const on = option('Banana', 'b2');
    expect(matchOption([off, on], 'Banana')).toEqual({found: on});
  });
});

describe('optionText', () => {
  it('adds the value where it differs', () => {
    expect(optionText(option('Germany', 'DE'))).toBe('"Germany" (value "DE")');
    expect(optionText(option('A', 'A'))).toBe('"A"');
    expect(labelOf({names: [], values: ['v'], disabled: false})).toBe('v');
  });
});
