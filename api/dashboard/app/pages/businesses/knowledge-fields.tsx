// The fields of one service and of one question: a business's page and the wizard have the same.

import * as LIMITS from '../../api-limits.ts';
import { NumberField, TextArea, TextField } from '../../ui/fields/field.tsx';
import { t } from '../../words/words.ts';

const { services: SERVICES, faqs: FAQS } = LIMITS.CreateBusinessBody;

interface Service {
  name: string;
  duration: number | null;
  price: number | null;
}

interface Question {
  question: string;
  answer: string;
}

interface FieldsProps<T> {
  value: T;
  /** Its place in the body of a request: `services[2]`. */
  path: string;
  faultOf: (path: string) => string | undefined;
  onChange: (change: Partial<T>) => void;
}

export function ServiceFields({
  value,
  path,
  faultOf,
  onChange,
  currency,
}: FieldsProps<Service> & { currency?: string }) {
  return (
    <div class="parts">
      <TextField
        label={t('Service')}
        fault={faultOf(`${path}.name`)}
        value={value.name}
        onChange={(name) => onChange({ name })}
        limits={SERVICES.items.name}
        required
      />
      <NumberField
        label={t('Minutes')}
        fault={faultOf(`${path}.duration`)}
        value={value.duration}
        onChange={(duration) => onChange({ duration })}
        limits={SERVICES.items.duration}
        step="any"
        placeholder="30"
      />
      <NumberField
        label={currency === undefined ? t('Price') : t('Price, {currency}', { currency })}
        fault={faultOf(`${path}.price`)}
        value={value.price}
        onChange={(price) => onChange({ price })}
        limits={SERVICES.items.price}
        step="any"
      />
    </div>
  );
}

export function QuestionFields({ value, path, faultOf, onChange }: FieldsProps<Question>) {
  return (
    <>
      <TextField
        label={t('Question')}
        fault={faultOf(`${path}.question`)}
        value={value.question}
        onChange={(question) => onChange({ question })}
        limits={FAQS.items.question}
        required
      />
      <TextArea
        label={t('Answer')}
        fault={faultOf(`${path}.answer`)}
        value={value.answer}
        onChange={(answer) => onChange({ answer })}
        rows={2}
        limits={FAQS.items.answer}
      />
    </>
  );
}
