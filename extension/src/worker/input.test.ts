import {describe, expect, it} from 'vitest';
import {type Step, clickSteps, moveStep} from './input';

const point = {x: 10, y: 20};

function told(steps: readonly Step[]): string[] {
  return steps.map(({params}) => {
    if (!('type' in params)) return 'text';
    const {type, modifiers = 0} = params;
    if ('key' in params) return `${type} ${params.key} ${modifiers}`;
    const [button, count, buttons] =
      'button' in params ? [params.button ?? '', params.clickCount ?? 0, params.buttons ?? 0] : ['', 0, 0];
    return `${type} ${button} ${count} ${buttons} ${modifiers}`;
  });
}

describe('clickSteps', () => {
  it('moves, presses and lets go', () => {
    expect(told(clickSteps({point, button: 'left', count: 1, modifiers: []}))).toEqual([
      'mouseMoved none 0 0 0',
      'mousePressed left 1 1 0',
      'mouseReleased left 1 0 0',
    ]);
  });

  it('counts the clicks of a double click', () => {
    expect(told(clickSteps({point, button: 'left', count: 2, modifiers: []})).slice(1)).toEqual([
      'mousePressed left 1 1 0',
      'mouseReleased left 1 0 0',
      'mousePressed left 2 1 0',
      'mouseReleased left 2 0 0',
    ]);
  });

  it('holds modifiers around the click and lets them go in the same batch', () => {
    expect(told(clickSteps({point, button: 'right', count: 1, modifiers: ['Control', 'Shift']}))).toEqual([
      'rawKeyDown Control 2',
      'rawKeyDown Shift 10',
      'mouseMoved none 0 0 10',
      'mousePressed right 1 2 10',
      'mouseReleased right 1 0 10',
      'keyUp Shift 2',
      'keyUp Control 0',
    ]);
  });

  it('sends each step to the same point', () => {
    for (const {params} of clickSteps({point, button: 'middle', count: 1, modifiers: []})) {
      expect(params).toMatchObject(point);
    }
    expect(moveStep(point).params).toMatchObject({...point, buttons: 0});
  });
});
