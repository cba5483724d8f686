// The three required fields of a business; its page then has the others.
import * as LIMITS from '../../api-limits.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { leave, link } from '../../router.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { t, words } from '../../words/words.ts';
import { ownZone } from '../../zones.ts';

const INDUSTRIES = [
  words('hair salon'),
  words('dentist'),
  words('restaurant'),
  words('law firm'),
  words('real estate'),
  words('plumber'),
  words('veterinary clinic'),
];

export default function NewBusinessPage() {
  const form = useForm({ name: '', industry: '', timezone: ownZone() }, async ({ values }) => {
    const { data } = await call('createBusiness', { body: { ...values, currency: null } });
    leave(link(`/businesses/${data.id}`));
    say(t('Created {name}', { name: data.name }));
  });
  useUnsaved(form.isChanged);
  const { field } = form;
  return (
    <Page
      title={t('New business')}
      back={{ href: link('/businesses'), text: t('Businesses') }}
      lead={t(
        'These three are enough to begin. Hours, services and answers come next, and some of them can be read from your web page.',
      )}
    >
      <div class="columns">
        <Card>
          <SubmitForm form={form} shown={['name', 'industry', 'timezone']} send={t('Create the business')}>
            <TextField
              label={t('Name')}
              hint={t('As callers know it: it is said in greetings.')}
              {...field('name')}
              limits={LIMITS.CreateBusinessBody.name}
              required
              autofocus
            />
            <TextField
              label={t('Industry')}
              hint={t('The model is told; it also chooses templates of services and answers.')}
              {...field('industry')}
              suggestions={INDUSTRIES.map((value) => ({ value: t(value) }))}
              limits={LIMITS.CreateBusinessBody.industry}
              required
            />
            <TimeZoneField hint={t('Opening hours and appointments are in it.')} {...field('timezone')} required />
          </SubmitForm>
        </Card>
      </div>
    </Page>
  );
}
