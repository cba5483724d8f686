// The words for carriers with an API, and what each calls the halves of its key.
import type { Carrier, CarrierOrder } from '../../api-types.ts';
import type { Tone } from '../../ui/layout.tsx';
import { words } from '../../words/words.ts';

type Kind = Carrier['kind'];

export const CARRIERS: Record<Kind, { name: string; keyId: string | null; key: string; where: string }> = {
  twilio: {
    name: 'Twilio',
    keyId: 'Account SID',
    key: 'Auth Token',
    where: words('Both stand on the first page of Twilio’s console.'),
  },
  telnyx: {
    name: 'Telnyx',
    keyId: null,
    key: 'API key',
    where: words('Make one under API Keys in Telnyx’s portal. It begins with KEY.'),
  },
  plivo: {
    name: 'Plivo',
    keyId: 'Auth ID',
    key: 'Auth Token',
    where: words('Both stand on the first page of Plivo’s console.'),
  },
};

export const ORDER_WORDS: Record<CarrierOrder['state'], string> = {
  ordered: words('Ordered'),
  bought: words('Bought'),
  recorded: words('In use'),
  refused: words('Refused'),
  released: words('Given back'),
};

export const KINDS = Object.keys(CARRIERS) as Kind[];

export const ORDER_TONES: Record<CarrierOrder['state'], Tone> = {
  ordered: 'warn',
  bought: 'warn',
  recorded: 'good',
  refused: 'bad',
  released: 'neutral',
};
