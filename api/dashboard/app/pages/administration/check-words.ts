// The names of the checks of the installation on the status page.
import type { Status } from '../../api-types.ts';
import { t, words } from '../../words/words.ts';

export type Check = Status['checks'][number];

const NAMES: Record<Check['name'], string> = {
  engine: words('Call engine'),
  database: words('Database'),
  disk: words('Disk'),
  files: words('Object store'),
  clock: words('Clock'),
  trunk: words('Trunk'),
  model: words('Model'),
  turns: words('Turns of callers'),
  webhooks: words('Webhooks'),
  mails: words('Mails'),
  campaign: words('Campaign'),
  spend: words('Outbound minutes'),
};
/** As the service writes them before a model's name. */
const MODEL_KINDS: Readonly<Record<string, string>> = {
  dialogue: words('Dialogue'),
  recogniser: words('Recogniser'),
  voice: words('Voice'),
  'speech-to-speech model': words('Speech-to-speech model'),
};

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A model's subject already contains its kind: `voice: flite`. */
export function titleOf({ name, subject }: Pick<Check, 'name' | 'subject'>): string {
  if (subject === null) return t(NAMES[name]);
  if (name !== 'model') return `${t(NAMES[name])}: ${subject}`;
  const colon = subject.indexOf(': ');
  const kind = MODEL_KINDS[subject.slice(0, colon)];
  return kind === undefined ? capitalized(subject) : `${t(kind)}${subject.slice(colon)}`;
}
