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
import { ownZone } from '../../zones.ts';

const INDUSTRIES = [
  'hair salon',
  'dentist',
  'restaurant',
  'law firm',
  'real estate',
  'plumber',
  'veterinary clinic',
].map((value) => ({ value }));

export default function NewBusinessPage() {
  const form = useForm({ name: '', industry: '', timezone: ownZone() }, async ({ values }) => {
    const { data } = await call('createBusiness', { body: values });
    leave(link(`/businesses/${data.id}`));
    say(`Created ${data.name}`);
  });
  useUnsaved(form.isChanged);
  const { field } = form;
  return (
    <Page
      title="New business"
      back={{ href: link('/businesses'), text: 'Businesses' }}
      lead="These three are enough to begin. Hours, services and answers come next, and some of them can be read from your web page."
    >
      <div class="columns">
        <Card>
          <SubmitForm form={form} shown={['name', 'industry', 'timezone']} send="Create the business">
            <TextField
              label="Name"
              hint="As callers know it: it is said in greetings."
              {...field('name')}
              limits={LIMITS.CreateBusinessBody.name}
              required
              autofocus
            />
            <TextField
              label="Industry"
              hint="The model is told; it also chooses templates of services and answers."
              {...field('industry')}
              suggestions={INDUSTRIES}
              limits={LIMITS.CreateBusinessBody.industry}
              required
            />
            <TimeZoneField hint="Opening hours and appointments are in it." {...field('timezone')} required />
          </SubmitForm>
        </Card>
      </div>
    </Page>
  );
}
