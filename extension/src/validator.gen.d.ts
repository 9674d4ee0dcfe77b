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
export const rpc_RPCInSession: Validate;
export const rpc_RPCNetworkDetail: Validate;
export const rpc_RPCNothing: Validate;
export const rpc_RPCPagesEval: Validate;
export const rpc_RPCPagesGet: Validate;
export const rpc_RPCPagesMouse: Validate;
export const rpc_RPCPagesPress: Validate;
export const rpc_RPCPagesRef: Validate;
export const rpc_RPCPagesSavePDF: Validate;
export const rpc_RPCPagesScreenshot: Validate;
export const rpc_RPCPagesScroll: Validate;
export const rpc_RPCPagesSelect: Validate;
export const rpc_RPCPagesSnapshot: Validate;
export const rpc_RPCPagesText: Validate;
export const rpc_RPCPagesUpload: Validate;
export const rpc_RPCPagesWait: Validate;
export const rpc_RPCSessionsAttachCurrent: Validate;
export const rpc_RPCSessionsCreate: Validate;
export const rpc_RPCSessionsRename: Validate;
export const rpc_RPCTabOfSession: Validate;
export const rpc_RPCTabsOpen: Validate;
export const rpc_RPCTabsSearch: Validate;
export const result_ScreenshotResult: Validate;
export const result_ScrollResult: Validate;
export const result_SelectResult: Validate;
export const result_SessionResult: Validate;
export const result_SnapshotResult: Validate;
export const result_TypeResult: Validate;
export const result_UploadResult: Validate;
export const result_WaitForResult: Validate;
