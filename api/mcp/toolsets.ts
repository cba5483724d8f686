// Which tools an assistant is shown: all of them would fill its context before it has read a question. By default those
// of a first day; the others by name of their group, as the address or a header asks.
import { invalid } from '../frame/errors.ts';
import type { McpOperation } from './operations.ts';

/** To set up an agent, and to see what became of its calls. */
export const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  ...['getAccount', 'getOverview', 'readSite'],
  ...['listBusinesses', 'createBusiness', 'getBusiness', 'updateBusiness'],
  ...['listVoices', 'listAgents', 'createAgent', 'getAgent', 'updateAgent'],
  ...['listCampaigns', 'createCampaign', 'getCampaign', 'updateCampaign', 'previewCampaign'],
  ...['startCampaign', 'pauseCampaign', 'resumeCampaign', 'getCampaignStats'],
  ...['listCampaignContacts', 'addContacts', 'searchContacts', 'addDoNotCall'],
  ...['searchNumbers', 'purchaseNumber', 'listPhoneNumbers', 'updatePhoneNumber'],
  ...['listCalls', 'getCall', 'getTranscript', 'placeCall', 'endCall', 'listLiveCalls'],
  ...['listAppointments', 'updateAppointment'],
]);

interface ToolsetWish {
  toolsets?: string | undefined;
  /** The former name of the same. */
  tools?: string | undefined;
  readonly?: string | undefined;
}

export interface Toolset {
  shows(operation: McpOperation): boolean;
  /** Without a wish any tool may be called that the token allows: programs that know their names need no list. */
  takes(operation: McpOperation): boolean;
}

/** @throws {ApiError} 422 for a toolset that there is none of */
export function toolsetOf(wish: ToolsetWish, operations: readonly McpOperation[]): Toolset {
  const field = wish.toolsets === undefined ? 'tools' : 'toolsets';
  const asked = (wish.toolsets ?? wish.tools)?.split(',').map((name) => name.trim().toLowerCase());
  const groups = [...new Set(operations.map(({ group }) => group))].sort();
  const unknown = (asked ?? []).filter((name) => name !== 'all' && name !== 'default' && !groups.includes(name));
  if (unknown.length > 0)
    throw invalid([
      { field, message: `has no group ${unknown.join(', ')}: they are ${['default', 'all', ...groups].join(', ')}` },
    ]);
  const readsOnly = isTrue(wish.readonly);
  const isWanted = ({ tool, group }: McpOperation): boolean =>
    asked === undefined
      ? DEFAULT_TOOLS.has(tool.name)
      : asked.includes('all') || asked.includes(group) || (asked.includes('default') && DEFAULT_TOOLS.has(tool.name));
  const isKept = ({ tool }: McpOperation): boolean => !readsOnly || tool.annotations.readOnlyHint;
  return {
    shows: (operation) => isKept(operation) && isWanted(operation),
    takes: (operation) => isKept(operation) && (asked === undefined || isWanted(operation)),
  };
}

function isTrue(text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1' || text === '') return true;
  throw invalid([{ field: 'readonly', message: 'must be true or false' }]);
}
