// Generated from the schema of package protocol by gen-validator.mjs. DO NOT EDIT.
import type {ErrorObject} from 'ajv';

/** Validate tells whether data fits the schema; errors holds why not, until the next call. */
export interface Validate {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

export const frame: Validate;
export const action: Validate;
export const event: Validate;
export const result_ActivateTabResult: Validate;
export const result_AttachTabResult: Validate;
export const result_ClickResult: Validate;
export const result_CloseTabResult: Validate;
export const result_ConsoleResult: Validate;
export const result_DialogResult: Validate;
export const result_DownloadResult: Validate;
export const result_DragResult: Validate;
export const result_EvaluateResult: Validate;
export const result_ExtractResult: Validate;
export const result_FillResult: Validate;
export const result_FindResult: Validate;
export const result_GetResult: Validate;
export const result_HandoffResult: Validate;
export const result_HoverResult: Validate;
export const result_ListTabsResult: Validate;
export const result_MouseResult: Validate;
export const result_NavigateResult: Validate;
export const result_NetworkResult: Validate;
export const result_OpenTabResult: Validate;
export const result_PDFResult: Validate;
export const result_PressResult: Validate;
export const result_ScreenshotResult: Validate;
export const result_ScrollResult: Validate;
export const result_SelectResult: Validate;
export const result_SessionResult: Validate;
export const result_SnapshotResult: Validate;
export const result_TypeResult: Validate;
export const result_UploadResult: Validate;
export const result_WaitForResult: Validate;
