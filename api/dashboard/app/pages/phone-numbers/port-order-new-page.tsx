// The page that orders the port-in of a number.
import { useState } from 'preact/hooks';
import { utcDay } from '../../../../../db/domain/hours/utc-days.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t, words } from '../../words/words.ts';

/** The most frequent reasons for a carrier's rejection. */
const CHECKS = [
  words('The number is in use at the other carrier: it has not been cancelled'),
  words('Name and address in the letter are those on its bill'),
  words('The letter is signed by the holder named above'),
];

const today = (): string => utcDay(Date.now());

export default function PortOrderNewPage() {
  const [checked, setChecked] = useState<readonly string[]>([]);
  const form = useForm({ phoneNumber: '', accountHolder: '', loaSignedAt: '' }, async ({ values }) => {
    const { data } = await call('createPortOrder', { body: values });
    go(link(`/phone-numbers/port-in/${data.id}`), { replace: true });
  });
  const { field } = form;
  return (
    <Page
      title={t('Port a number in')}
      lead={t('The number moves here from another carrier. Documents are uploaded in the next step.')}
      back={{ href: link('/phone-numbers', { tab: 'port-in' }), text: t('Port-in orders') }}
    >
      <SubmitForm
        form={form}
        isNarrow
        shown={['phoneNumber', 'accountHolder', 'loaSignedAt']}
        send={t('Start the order')}
        disabled={checked.length < CHECKS.length}
        beside={<ButtonLink href={link('/phone-numbers', { tab: 'port-in' })}>{t('Cancel')}</ButtonLink>}
      >
        <Card>
          <TextField
            label={t('Phone number')}
            hint={t('With country code: +442079460000')}
            type="tel"
            required
            {...field('phoneNumber')}
          />
          <TextField
            label={t('Holder of the number')}
            hint={t("As on the other carrier's bill")}
            required
            {...field('accountHolder')}
          />
          <TextField
            label={t('Letter of authorisation signed on')}
            type="date"
            required
            max={today()}
            {...field('loaSignedAt')}
          />
          <Fieldset title={t('Before you go on')}>
            {CHECKS.map((text) => (
              <Checkbox
                key={text}
                label={t(text)}
                value={checked.includes(text)}
                onChange={(isOn) => setChecked(isOn ? [...checked, text] : checked.filter((each) => each !== text))}
              />
            ))}
          </Fieldset>
        </Card>
      </SubmitForm>
    </Page>
  );
}
