import type {Protocol} from 'devtools-protocol';
import {describe, expect, test} from 'vitest';
import {levelOf, loggedText, textMax, thrownText} from './consoletext';

type Value = Protocol.Runtime.RemoteObject;

const string = (value: string): Value => ({type: 'string', value});
const number = (value: number): Value => ({type: 'number', value, description: String(value)});

describe('loggedText', () => {
  test.each<[Value[], string]>([
    [[], ''],
    [[string('a'), number(1), {type: 'boolean', value: true}], 'a 1 true'],
    [[number(1), string('a')], '1 a'],
    [[{type: 'undefined'}, {type: 'object', subtype: 'null', value: null}], 'undefined null'],
    [[{type: 'number', unserializableValue: 'NaN', description: 'NaN'}], 'NaN'],
    [
      [string('%s has %d of %i, 100%%'), string('Ada'), number(1.5), number(2.5), string('more')],
      'Ada has 1 of 2, 100% more',
    ],
    [[string('%cred'), string('color: red')], 'red'],
    [[string('%s and %s'), string('one')], 'one and %s'],
    [[string('50% off')], '50% off'],
    [
      [{type: 'object', subtype: 'error', description: 'Error: no\n    at f (a.js:1:2)'}],
      'Error: no\n    at f (a.js:1:2)',
    ],
    [[{type: 'function', description: 'function f() {}'}], 'function f() {}'],
  ])('%j is %s', (args, want) => {
    expect(loggedText(args)).toBe(want);
  });

  test('objects and arrays by their preview', () => {
    const object: Value = {
      type: 'object',
      description: 'Object',
      preview: {
        type: 'object',
        description: 'Object',
        overflow: true,
        properties: [
          {name: 'id', type: 'number', value: '7'},
          {name: 'name', type: 'string', value: 'Ada'},
        ],
      },
    };
    const array: Value = {
      type: 'object',
      subtype: 'array',
      preview: {
        type: 'object',
        subtype: 'array',
        description: 'Array(1)',
        overflow: false,
        properties: [{name: '0', type: 'number', value: '1'}],
      },
    };
    expect(loggedText([object, array])).toBe('{id: 7, name: "Ada", …} [1]');
  });

  test('no entry is longer than it may be', () => {
    expect(loggedText([string('x'.repeat(10_000))])).toHaveLength(textMax);
  });
});

test('an exception says what and where', () => {
  const details = {exceptionId: 1, text: 'Uncaught', lineNumber: 0, columnNumber: 0};
  expect(thrownText({...details, exception: {type: 'object', description: 'Error: no\n    at f'}})).toBe(
    'Uncaught Error: no\n    at f',
  );
  expect(thrownText({...details, exception: string('plain')})).toBe('Uncaught plain');
  const callFrames = [{functionName: 'pay', scriptId: '1', url: 'a.js', lineNumber: 0, columnNumber: 0}];
  expect(thrownText({...details, exception: number(7), stackTrace: {callFrames}})).toBe('Uncaught 7 in pay');
});

test('levels', () => {
  expect([levelOf('warning'), levelOf('assert'), levelOf('table')]).toEqual(['warning', 'error', 'log']);
});
