// A business's redaction: the kinds of its callers' words that are not kept.
import { REDACTED_KINDS, type RedactedKind } from '../../../../../db/domain/redaction/kinds.ts';
import type { Business } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { Checkbox } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Card } from '../../ui/layout.tsx';
import type { BusinessValues } from './business-form.ts';

type Redaction = NonNullable<Business['redaction']>;

const NAMES: Record<RedactedKind, string> = {
  card: 'Card numbers, with date and code',
  iban: 'IBANs',
  ssn: 'Numbers of social security and tax',
  phone: 'Telephone numbers',
  email: 'Addresses of mail',
  name: 'The caller’s name, where the call knows it',
};
const NOTHING: Redaction = { kinds: [], transcript: true, webhooks: true, audio: false };

export function RedactionCard({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  const redaction = values.redaction ?? NOTHING;
  const change = (part: Partial<Redaction>) => {
    const next = { ...redaction, ...part };
    set('redaction', next.kinds.length === 0 ? null : next);
  };
  const toggle = (kind: RedactedKind, isOn: boolean) =>
    change({ kinds: REDACTED_KINDS.filter((each) => (each === kind ? isOn : redaction.kinds.includes(each))) });
  return (
    <Card title="What is not kept">
      <p class="soft">
        The agent hears it, and the call keeps <code>[card]</code> in its place. It is found by rules, in figures and in
        spoken words.
      </p>
      <Fieldset title="Taken out" fault={faultOf('redaction', true)}>
        {REDACTED_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={NAMES[kind]}
            value={redaction.kinds.includes(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
          />
        ))}
      </Fieldset>
      {redaction.kinds.length > 0 && (
        <Fieldset title="Of what">
          <Checkbox
            label="The transcript, and all that is made of it"
            value={redaction.transcript}
            onChange={(transcript) => change({ transcript })}
          />
          <Checkbox
            label="Webhooks at the end of a call"
            value={redaction.webhooks}
            onChange={(webhooks) => change({ webhooks })}
          />
          <Checkbox
            label="The recording: silent over the whole utterance"
            value={redaction.audio}
            onChange={(audio) => change({ audio })}
          />
        </Fieldset>
      )}
    </Card>
  );
}
