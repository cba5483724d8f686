// The basic facts of a business, which the agent can tell a caller.
import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { TextArea, TextField } from '../../ui/fields/field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';

const CURRENCIES = Intl.supportedValuesOf('currency').map((value) => ({ value }));

export function BasicsTab({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf, field } = form;
  return (
    <div class="columns">
      <Card title={t('The business')}>
        <TextField
          label={t('Name')}
          hint={t('Said where a greeting has {{businessName}}; the recogniser expects it.')}
          {...field('name')}
          limits={LIMITS.CreateBusinessBody.name}
          required
        />
        <TextField label={t('Industry')} {...field('industry')} limits={LIMITS.CreateBusinessBody.industry} />
        <TextArea
          label={t('Description')}
          hint={t('A fact like any other: asked what you do, the agent says it.')}
          {...field('description')}
          limits={LIMITS.CreateBusinessBody.description}
        />
        <TimeZoneField hint={t('What "today" and "at three" mean.')} {...field('timezone')} required />
        <TextField
          label={t('Currency')}
          hint={t('How prices are said and written, e.g. EUR. By default that of the country.')}
          fault={faultOf('currency')}
          value={values.currency}
          onChange={(value) => set('currency', value.toUpperCase())}
          suggestions={CURRENCIES}
          limits={LIMITS.CreateBusinessBody.currency}
          required
        />
      </Card>
      <Card title={t('Where it is found')}>
        <TextArea label={t('Address')} {...field('address')} rows={2} limits={LIMITS.CreateBusinessBody.address} />
        <TextField
          label={t('Phone')}
          hint={t("With the country's code: +44 20 7946 0123")}
          fault={faultOf('phone')}
          type="tel"
          value={values.phone}
          onChange={(value) => set('phone', compact(value))}
          limits={LIMITS.CreateBusinessBody.phone}
        />
        <TextField
          label={t('E-mail address')}
          type="email"
          {...field('email')}
          limits={LIMITS.CreateBusinessBody.email}
        />
      </Card>
    </div>
  );
}

/** Removes the blanks and hyphens of a written number. */
export const compact = (number: string): string => number.replace(/[\s().-]/g, '');
