declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown';

  /** Converts del, s and strike. */
  export function strikethrough(service: TurndownService): void;
  /** Converts the checkboxes of task lists. */
  export function taskListItems(service: TurndownService): void;
}
