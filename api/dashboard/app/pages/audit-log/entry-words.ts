// How entries of the audit log are told: the actions that can be noted, the resources, and the page of each.
import { ADDRESSES } from '../../api-addresses.ts';
import type { AuditEntry } from '../../api-types.ts';
import { formatWord } from '../../format.ts';
import { t, words } from '../../words/words.ts';

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
  account: [words('Account'), null],
  agent: [words('Agent'), '/agents/'],
  'alert-rule': [words('Alert'), '/alerts/'],
  appointment: [words('Appointment'), null],
  business: [words('Business'), '/businesses/'],
  call: [words('Call'), '/calls/'],
  campaign: [words('Campaign'), '/campaigns/'],
  'do-not-call': [words('Do not call'), null],
  inventory: [words('Inventory'), null],
  model: [words('Model'), null],
  'model-settings': [words('Model settings'), null],
  'phone-number': [words('Phone number'), '/phone-numbers/'],
  'port-order': [words('Port order'), '/phone-numbers/port-in/'],
  price: [words('Price'), null],
  session: [words('Sign-in'), null],
  settings: [words('Settings'), null],
  'sip-account': [words('Softphone'), '/admin/softphones/'],
  token: [words('API key'), null],
  tool: [words('Tool'), '/tools/'],
  trunk: [words('Trunk'), '/admin/trunks/'],
  user: [words('User'), null],
  webhook: [words('Webhook'), '/webhooks/'],
  'widget-key': [words('Website key'), null],
};

/** `updateSipAccount` as "Update sip account". */
export const inWords = (name: string): string => formatWord(name.replace(/[A-Z0-9]/g, (letter) => ` ${letter}`));

export function resourceText(resource: string): string {
  const text = RESOURCES[resource]?.[0];
  return text === undefined ? formatWord(resource) : t(text);
}

export const resourceChoices = (): Array<[string, string]> =>
  Object.entries(RESOURCES)
    .map(([name, [text]]): [string, string] => [name, t(text)])
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
