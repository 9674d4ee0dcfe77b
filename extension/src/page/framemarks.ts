/** The places of frames in a text that is still being made: words of ours stand there, and are taken out at the end. */

/** Marked is a text, and where in it each frame has its place, in UTF-16 units; −1: it has none there. */
export interface Marked {
  text: string;
  places: number[];
}

/** FrameMarks are the words for one text. A page cannot know them, and so not write them. */
export class FrameMarks {
  private readonly secret = Array.from(crypto.getRandomValues(new Uint32Array(4)), (it) => it.toString(36)).join('');

  /** Word stands for the frame of that number: letters and digits alone, which nothing escapes. */
  word(index: number): string {
    return `frame${this.secret}x${index.toString()}x`;
  }

  /** Taken gives a text without the words, an empty line in place of each; `count` is how many frames there are. */
  taken(marked: string, count: number): Marked {
    const places = Array<number>(count).fill(-1);
    const [first = '', ...rest] = marked.split(new RegExp(`frame${this.secret}x(\\d+)x`));
    let text = rest.length === 0 ? first : before(first);
    for (let i = 0; i < rest.length; i += 2) {
      places[Number(rest[i])] = text.length;
      const piece = behind(rest[i + 1] ?? '');
      const tidy = i + 2 < rest.length ? before(piece) : piece;
      if (tidy !== '') text += (text === '' ? '' : '\n\n') + tidy;
    }
    return {text, places};
  }
}

// A word stands on a line by itself: what is before and behind it there, and the empty lines around, are of no use.
function before(text: string): string {
  return text.replace(/(\n[ \t>]*)+$/, '').replace(/^[ \t>]+$/, '');
}

function behind(text: string): string {
  return text.replace(/^([ \t>]*\n)+/, '').replace(/^[ \t>]+$/, '');
}
