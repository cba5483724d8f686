// Adds one contact by hand. A number that the campaign already has is merged, and the dialog says so.

import * as LIMITS from '../../api-limits.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { TYPED_NUMBER } from '../../limits.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import type { ContactInput } from './contacts-csv.ts';
import { VariableRows } from './variable-rows.tsx';

const AT = 'contacts[0]';

export function ContactDialog({
  campaignId,
  onAdded,
  onClose,
}: {
  campaignId: string;
  onAdded: (warnings: readonly string[]) => void;
  onClose: () => void;
}) {
  const first = { phoneNumber: '', name: '', email: '', variables: [] as Array<{ name: string; value: string }> };
  const form = useForm(first, async ({ values }) => {
    const { name, email, variables } = values;
    const given = variables.filter((variable) => variable.name !== '').map((each) => [each.name, each.value]);
    const contact: ContactInput = {
      phoneNumber: values.phoneNumber.replace(/[\s().-]/g, ''),
      ...(name.trim() === '' ? {} : { name }),
      ...(email.trim() === '' ? {} : { email }),
      ...(given.length === 0 ? {} : { variables: Object.fromEntries(given) }),
    };
    const { data, warnings } = await call('addContacts', { params: { id: campaignId }, body: { contacts: [contact] } });
    const text = name.trim() === '' ? contact.phoneNumber : name;
    say(data.merged > 0 ? t('{name} was there already: merged', { name: text }) : t('Added {name}', { name: text }));
    onAdded(warnings ?? []);
    onClose();
  });
  const { values, set, faultOf } = form;
  return (
    <Dialog title={t('Add a contact')} onClose={onClose}>
      <SubmitForm
        right="work"
        form={form}
        shown={[`${AT}.phoneNumber`, `${AT}.name`, `${AT}.email`]}
        send={t('Add the contact')}
        onCancel={onClose}
      >
        <TextField
          label={t('Phone number')}
          hint={t("With the country's code: +44 20 7946 0123")}
          type="tel"
          fault={faultOf(`${AT}.phoneNumber`)}
          value={values.phoneNumber}
          onChange={(value) => set('phoneNumber', value)}
          limits={TYPED_NUMBER}
          required
        />
        <TextField
          label={t('Name')}
          fault={faultOf(`${AT}.name`)}
          value={values.name}
          onChange={(value) => set('name', value)}
          limits={LIMITS.AddContactsBody.contacts.items.name}
        />
        <TextField
          label={t('E-mail address')}
          type="email"
          fault={faultOf(`${AT}.email`)}
          value={values.email}
          onChange={(value) => set('email', value)}
          limits={LIMITS.AddContactsBody.contacts.items.email}
        />
        <VariableRows items={values.variables} onChange={(variables) => set('variables', variables)} />
      </SubmitForm>
    </Dialog>
  );
}
