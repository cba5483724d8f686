// A business's redaction: the kinds of its callers' words that are not kept.
import { REDACTED_KINDS, type RedactedKind } from '../../../../../db/domain/redaction/kinds.ts';
import type { Business } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { Checkbox } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Card } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';

type Redaction = NonNullable<Business['redaction']>;

const NAMES: Record<RedactedKind, string> = {
  card: words('Card numbers, with date and code'),
  iban: words('IBANs'),
  ssn: words('Numbers of social security and tax'),
  phone: words('Telephone numbers'),
  email: words('Addresses of mail'),
  name: words('The caller’s name, where the call knows it'),
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
    <Card title={t('What is not kept')}>
      <p class="soft">
        {t(
          'The agent hears it, and the call keeps “{mark}” in its place. It is found by rules, in figures and in spoken words.',
          { mark: '[card]' },
        )}
      </p>
      <Fieldset title={t('Taken out')} fault={faultOf('redaction', true)}>
        {REDACTED_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={t(NAMES[kind])}
            value={redaction.kinds.includes(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
          />
        ))}
      </Fieldset>
      {redaction.kinds.length > 0 && (
        <Fieldset title={t('Of what')}>
          <Checkbox
            label={t('The transcript, and all that is made of it')}
            value={redaction.transcript}
            onChange={(transcript) => change({ transcript })}
          />
          <Checkbox
            label={t('Webhooks at the end of a call')}
            value={redaction.webhooks}
            onChange={(webhooks) => change({ webhooks })}
          />
          <Checkbox
            label={t('The recording: silent over the whole utterance')}
            value={redaction.audio}
            onChange={(audio) => change({ audio })}
          />
        </Fieldset>
      )}
    </Card>
  );
}
