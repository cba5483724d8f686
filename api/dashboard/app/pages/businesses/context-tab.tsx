// Further facts for a model, as JSON. They are sent at every turn of a call, so their size is shown.
import { CONTEXT_BYTES_MAX, CONTEXT_TOKENS_ADVISED } from '../../../../../db/domain/field-limits.ts';
import type { Form } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { readObject } from '../../json-object.ts';
import { TextArea } from '../../ui/fields/field.tsx';
import { Card, Notice, Progress } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { type BusinessValues, contextSize } from './business-form.ts';

export function ContextTab({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  const { value, fault } = readObject(values.context);
  return (
    <Card title={t('Context')}>
      <p class="soft">
        {t(
          'Any JSON object: staff, brands, directions. A language model reads it at every turn of a call; the built-in receptionist does not.',
        )}
      </p>
      <div class="code-field">
        <TextArea
          label={t('Context, as JSON')}
          fault={fault === null ? faultOf('businessContext', true) : t('Not valid yet: {fault}', { fault })}
          value={values.context}
          onChange={(text) => set('context', text)}
          rows={14}
          placeholder={'{\n  "stylists": ["Ana", "Ruth"]\n}'}
        />
      </div>
      {value !== null && <Size value={value} />}
    </Card>
  );
}

function Size({ value }: { value: Record<string, unknown> }) {
  const { tokens, bytes } = contextSize(value);
  return (
    <div class="stack tight">
      <div class="row spread small">
        <span>
          {t('About {tokens} of the {number} tokens that are advised', {
            tokens: formatNumber(tokens),
            number: formatNumber(CONTEXT_TOKENS_ADVISED),
          })}
        </span>
        <span class="soft">
          {t('{bytes} of {number} bytes', { bytes: formatNumber(bytes), number: formatNumber(CONTEXT_BYTES_MAX) })}
        </span>
      </div>
      <Progress
        label={t('Size of the context, in tokens')}
        value={Math.min(tokens, CONTEXT_TOKENS_ADVISED)}
        max={CONTEXT_TOKENS_ADVISED}
      />
      <p class="small soft">
        {t(
          'An estimate: four characters a token, without blanks. It holds for English; other languages may take twice as many.',
        )}
      </p>
      {tokens > CONTEXT_TOKENS_ADVISED && (
        <Notice tone="warn">{t('Every turn of a call pays for it: leave out what no caller asks for.')}</Notice>
      )}
      {bytes > CONTEXT_BYTES_MAX && <Notice tone="bad">{t('It is too large to be saved.')}</Notice>}
    </div>
  );
}
