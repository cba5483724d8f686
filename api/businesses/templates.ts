// Usual services and questions of an industry: the answer of generate-services and generate-faqs without a dialogue
// model. Durations in minutes; prices are suggestions in the business's own currency.
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Faq } from './schema.ts';

export interface ServiceEntry {
  name: string;
  duration: number | null;
  price: number | null;
}

type Template = {
  words: readonly string[];
  services: readonly (readonly [string, number, number])[];
  faqs: readonly (readonly [string, string])[];
};

const TEMPLATES: readonly Template[] = [
  {
    words: ['dent', 'orthodon', 'oral'],
    services: [
      ['Check-up and cleaning', 45, 120],
      ['New patient examination', 60, 150],
      ['Filling', 60, 200],
      ['Teeth whitening', 60, 350],
      ['Emergency visit', 30, 180],
    ],
    faqs: [
      ['Do you take new patients?', 'Yes, we take new patients. We can book a first examination on this call.'],
      ['What should I do with a dental emergency?', 'Call us at once; we keep time free each day for emergencies.'],
      [
        'Do you accept insurance?',
        'Please bring your insurance card; our front desk checks your coverage before treatment.',
      ],
    ],
  },
  {
    words: ['medic', 'clinic', 'doctor', 'health', 'physio', 'therap', 'chiro'],
    services: [
      ['Consultation', 30, 120],
      ['First visit', 45, 160],
      ['Follow-up', 20, 80],
      ['Treatment session', 45, 110],
    ],
    faqs: [
      ['Do I need an appointment?', 'Yes, please book an appointment; we can do that on this call.'],
      [
        'What should I bring to my first visit?',
        'Please bring an identity card, your insurance card and a list of your medication.',
      ],
      [
        'What do I do in an emergency?',
        'In an emergency please hang up and call the emergency number of your country.',
      ],
    ],
  },
  {
    words: ['salon', 'hair', 'barber', 'beauty', 'nail', 'spa', 'cosmet', 'massage'],
    services: [
      ['Haircut', 45, 50],
      ['Wash, cut and style', 60, 70],
      ['Colour', 120, 130],
      ['Manicure', 45, 40],
      ['Massage', 60, 90],
    ],
    faqs: [
      [
        'Do you take walk-ins?',
        'We take walk-ins when a chair is free; with an appointment you are sure of your time.',
      ],
      ['How late may I cancel?', 'Please tell us a day ahead, so that we can give your time to someone else.'],
      ['Can I ask for a certain stylist?', 'Yes, tell us whom you would like when you book.'],
    ],
  },
  {
    words: ['restaurant', 'cafe', 'café', 'bistro', 'pizz', 'food', 'catering', 'bar'],
    services: [
      ['Table reservation', 90, 0],
      ['Private dinner', 180, 0],
      ['Catering consultation', 30, 0],
    ],
    faqs: [
      ['Can I reserve a table?', 'Yes, we can reserve a table for you on this call.'],
      [
        'Do you have vegetarian dishes?',
        'Yes, there are always vegetarian dishes on our menu; tell us about allergies when you book.',
      ],
      ['Do you offer takeaway?', 'Please ask us on the day; most dishes can be taken away.'],
    ],
  },
  {
    words: ['auto', 'car', 'garage', 'mechanic', 'tire', 'tyre', 'vehicle'],
    services: [
      ['Oil change', 30, 60],
      ['Inspection', 60, 90],
      ['Brake service', 120, 250],
      ['Tyre change', 45, 80],
      ['Diagnosis', 60, 100],
    ],
    faqs: [
      [
        'How long will my car be with you?',
        'Small jobs are done while you wait; for others we call you when it is ready.',
      ],
      ['Do you give estimates?', 'Yes, you get an estimate before we begin.'],
      ['Do you work on all makes?', 'We work on most makes; tell us yours when you book.'],
    ],
  },
  {
    words: ['law', 'legal', 'attorney', 'solicitor', 'notar'],
    services: [
      ['First consultation', 60, 200],
      ['Follow-up consultation', 30, 120],
      ['Document review', 60, 250],
    ],
    faqs: [
      [
        'What does a first consultation cost?',
        'The price of a first consultation is fixed and told to you when you book.',
      ],
      ['What should I bring?', 'Please bring all letters and contracts of the matter.'],
      ['Is what I say confidential?', 'Yes, everything you tell us is confidential.'],
    ],
  },
  {
    words: ['real estate', 'realt', 'property', 'letting', 'estate agent'],
    services: [
      ['Viewing', 30, 0],
      ['Valuation', 60, 0],
      ['Consultation for sellers', 45, 0],
    ],
    faqs: [
      ['Can I view a property?', 'Yes, tell us which one and when; we book a viewing on this call.'],
      ['What does a valuation cost?', 'A first valuation is free of charge.'],
      [
        'What papers do I need to rent?',
        'Usually an identity card, proof of income and a reference of your last landlord.',
      ],
    ],
  },
  {
    words: [
      'plumb',
      'electric',
      'hvac',
      'heating',
      'roof',
      'contractor',
      'handyman',
      'home',
      'repair',
      'cleaning',
      'pest',
      'locksmith',
    ],
    services: [
      ['Estimate on site', 45, 0],
      ['Service call', 60, 120],
      ['Emergency call-out', 60, 220],
      ['Maintenance visit', 90, 150],
    ],
    faqs: [
      [
        'Do you come in an emergency?',
        'Yes, tell us your address and what has happened, and we say how soon we can come.',
      ],
      ['Do you give estimates?', 'Yes, you get an estimate before we begin.'],
      ['Are you insured?', 'Yes, we are licensed and insured.'],
    ],
  },
  {
    words: ['vet', 'animal', 'pet', 'groom'],
    services: [
      ['Examination', 30, 70],
      ['Vaccination', 20, 50],
      ['Grooming', 60, 65],
      ['Emergency visit', 30, 140],
    ],
    faqs: [
      ['My pet is ill, how soon can you see it?', 'Tell us what you see; emergencies are seen the same day.'],
      ['Do I need an appointment?', 'Yes, please; then your pet does not have to wait.'],
      ['Which animals do you treat?', 'Dogs and cats, and most small animals; ask us about others.'],
    ],
  },
  {
    words: ['fitness', 'gym', 'yoga', 'sport', 'training', 'coach'],
    services: [
      ['Trial session', 60, 0],
      ['Personal training', 60, 80],
      ['Group class', 60, 20],
    ],
    faqs: [
      ['Can I try a class first?', 'Yes, the trial session is free of charge.'],
      ['Do I have to bring anything?', 'Comfortable clothes, a towel and something to drink.'],
      ['How can I end my membership?', 'Write to us; the notice is told in your contract.'],
    ],
  },
  {
    words: ['school', 'educat', 'tutor', 'language', 'course'],
    services: [
      ['Trial lesson', 45, 0],
      ['Private lesson', 60, 45],
      ['Consultation', 30, 0],
    ],
    faqs: [
      ['Is there a trial lesson?', 'Yes, the first lesson is a free trial.'],
      ['Are lessons online or on site?', 'Both; tell us which you prefer when you book.'],
      ['What if I cannot come?', 'Tell us a day ahead and we find another time.'],
    ],
  },
];

const GENERAL: Template = {
  words: [],
  services: [
    ['Consultation', 30, 0],
    ['Appointment', 60, 0],
    ['Follow-up', 30, 0],
  ],
  faqs: [
    ['Can I make an appointment?', 'Yes, we can make one on this call.'],
    ['Can I speak to somebody?', 'Yes, ask for it and you are put through where somebody is free.'],
    ['How can I pay?', 'Please ask our staff; they tell you which ways of payment we take.'],
  ],
};

function templateOf(business: Pick<BusinessTable, 'industry' | 'name' | 'description'>): Template {
  for (const text of [business.industry, business.name, business.description]) {
    const lower = text?.toLowerCase() ?? '';
    const found = TEMPLATES.find(({ words }) => words.some((word) => lower.includes(word)));
    if (found) return found;
  }
  return GENERAL;
}

/** Usual services of the industry, found by its name, else by the business's name and description. */
export function templateServices(business: Pick<BusinessTable, 'industry' | 'name' | 'description'>): ServiceEntry[] {
  return templateOf(business).services.map(([name, duration, price]) => ({ name, duration, price }));
}

/** Usual questions of callers, answered from the business's own record where possible. */
export function templateFaqs(business: BusinessTable): Faq[] {
  const faqs: Faq[] = [];
  const hours = JSON.parse(business.hours) as Array<{ day: string; open: string; close: string }>;
  if (hours.length > 0) {
    const list = hours.map(({ day, open, close }) => `${capital(day)} ${open} to ${close}`).join(', ');
    faqs.push({ question: 'What are your opening hours?', answer: `We are open ${list}.` });
  }
  if (business.address) faqs.push({ question: 'Where are you?', answer: `You find us at ${business.address}.` });
  const services = JSON.parse(business.services) as ServiceEntry[];
  if (services.length > 0) {
    const names = services.slice(0, 8).map(({ name }) => name);
    faqs.push({ question: 'What do you offer?', answer: `We offer ${names.join(', ')}.` });
  }
  if (business.email) {
    faqs.push({ question: 'How can I write to you?', answer: `Write to us at ${business.email}.` });
  }
  for (const [question, answer] of templateOf(business).faqs) faqs.push({ question, answer });
  return faqs;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
