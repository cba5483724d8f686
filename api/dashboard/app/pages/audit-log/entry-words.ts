// How entries of the audit log are told: the actions that can be noted, the resources, and the page of each.
import { ADDRESSES } from '../../api-addresses.ts';
import type { AuditEntry } from '../../api-types.ts';
import { formatWord } from '../../format.ts';

type Entry = Pick<AuditEntry, 'action' | 'resource' | 'resourceId'>;

/** Reading that is noted, and sign-ins; the service notes most operations that change something too. */
const OTHER_ACTIONS = [
  ...['signIn', 'signInRefused', 'getRecording', 'exportCalls', 'downloadPortDocument'],
  ...['signInByProvider', 'signInByProviderRefused', 'userByProvider', 'rightsByProvider'],
  ...['canaryPromoted', 'canaryRolledBack', 'canaryStopped'],
];
/** Operations that the service leaves out, since the log of calls or of the business has them. */
const NOT_NOTED: ReadonlySet<string> = new Set([
  ...['placeCall', 'placeWebCall', 'endCall', 'controlCall'],
  ...['searchDocuments', 'previewCampaign', 'testTool', 'testWebhook', 'testModelSettings', 'testAlertRule'],
  ...['beginProviderSignIn', 'finishProviderSignIn'],
  ...['openWidget', 'beginWidgetCall', 'writeWidgetMessage', 'readWidgetMessages'],
]);

/** The list of resources is open: an unknown one is shown unchanged, without a page. */
const RESOURCES: Record<string, [text: string, path: string | null]> = {
  account: ['Account', null],
  agent: ['Agent', '/agents/'],
  'alert-rule': ['Alert', '/alerts/'],
  appointment: ['Appointment', null],
  business: ['Business', '/businesses/'],
  call: ['Call', '/calls/'],
  campaign: ['Campaign', '/campaigns/'],
  'do-not-call': ['Do not call', null],
  inventory: ['Inventory', null],
  model: ['Model', null],
  'model-settings': ['Model settings', null],
  'phone-number': ['Phone number', '/phone-numbers/'],
  'port-order': ['Port order', '/phone-numbers/port-in/'],
  price: ['Price', null],
  session: ['Sign-in', null],
  settings: ['Settings', null],
  'sip-account': ['Softphone', '/admin/softphones/'],
  token: ['API key', null],
  tool: ['Tool', '/tools/'],
  trunk: ['Trunk', '/admin/trunks/'],
  user: ['User', null],
  webhook: ['Webhook', '/webhooks/'],
  'widget-key': ['Website key', null],
};

/** `updateSipAccount` as "Update sip account". */
export const inWords = (name: string): string => formatWord(name.replace(/[A-Z0-9]/g, (letter) => ` ${letter}`));

export const resourceText = (resource: string): string => RESOURCES[resource]?.[0] ?? formatWord(resource);

export const RESOURCE_CHOICES: ReadonlyArray<[string, string]> = Object.entries(RESOURCES)
  .map(([name, [text]]): [string, string] => [name, text])
  .sort(byText);

export const ACTION_CHOICES: ReadonlyArray<[string, string]> = [
  ...Object.entries(ADDRESSES).flatMap(([name, [method]]) => (method === 'GET' || NOT_NOTED.has(name) ? [] : [name])),
  ...OTHER_ACTIONS,
]
  .map((name): [string, string] => [name, inWords(name)])
  .sort(byText);

/** These actions end the record, and with it its page. */
const ENDING = /^(?:delete|erase|release|remove|revoke)/;

/** The path of a record's page; null where it has none, or has none any more. */
export function pageOf({ action, resource, resourceId }: Entry): string | null {
  const path = RESOURCES[resource]?.[1] ?? null;
  return path === null || resourceId === null || ENDING.test(action) ? null : `${path}${resourceId}`;
}

function byText([, one]: readonly [string, string], [, other]: readonly [string, string]): number {
  return one.localeCompare(other);
}
