// For tests of calls whose tenant has no tools of its own.
import type { OwnTools } from '../../engine/call/own-tools.ts';
import type { AccountToolsOptions } from '../../engine/dialogue/tools/account-tools.ts';
import type { ToolAnswer } from '../../models/tools/tool.ts';

const refused: ToolAnswer = { ok: false, error: 'refused', message: 'There are no tools.' };

export const NO_OWN_TOOLS: OwnTools = {
  open: () => ({ tools: [], warm: () => undefined, close: () => undefined }),
  lookUp: async () => ({ ok: false, body: null, result: refused }),
};

export const NO_TOOLS: AccountToolsOptions = {
  callId: '',
  tools: [],
  variables: {},
  facts: {},
  onAssigned: () => undefined,
};
