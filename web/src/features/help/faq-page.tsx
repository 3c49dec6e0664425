import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { SupportLink } from '../../components/support-link.js';
import { Switch } from '../../components/switch.js';
import { IMAGE_PRICE } from '../../lib/image-price.js';
import { useSingleKeysOff } from '../../lib/single-keys.js';
import { slug } from './slug.js';

interface Question {
  readonly question: string;
  readonly answer: React.ReactNode;
}

const link = 'text-ink underline underline-offset-4 hover:no-underline';

const SECTIONS: readonly { readonly title: string; readonly questions: readonly Question[] }[] = [
  {
    title: 'General',
    questions: [
      {
        question: 'What is Fanvas?',
        answer:
          'A place to make fan art with the people it is about. Every creator here has agreed to it, has a model of their own, and earns half of every image that is paid for with purchased credits.',
      },
      {
        question: 'Do I need an account?',
        answer:
          'Not to look around: creators and their galleries are open to everyone. To create an image you sign up, which takes an e-mail address and a code, and brings 30 free credits.',
      },
      {
        question: 'How old do I have to be?',
        answer: 'At least 13. If you are under 18, a parent or guardian has to agree to it.',
      },
    ],
  },
  {
    title: 'Image Generations',
    questions: [
      {
        question: 'How do I create an image?',
        answer: (
          <>
            Pick a creator on the{' '}
            <Link to="/" className={link}>
              home page
            </Link>
            , write what you would like to see into the prompt, choose a square, a portrait or a landscape, and click
            Generate. The page shows where your image stands; you can leave and come back, and it will be in My
            Creations.
          </>
        ),
      },
      {
        question: 'How do I write a good prompt?',
        answer:
          'Say what is in the picture, where it is, what the light is like, and what it should feel like: “a lighthouse in a storm, seen from a small boat, warm window light” gives more than “lighthouse”. One clear scene works better than three. The dice beside the prompt suggests one. A prompt may have up to 1,000 characters.',
      },
      {
        question: 'Can I use the keyboard?',
        answer: (
          <>
            Yes, everywhere. On the pages of a creator, / moves into the prompt, and Ctrl+Enter (⌘ Enter on a Mac) sends
            it. Keys of one character can be turned off in this browser: <SingleKeys />
          </>
        ),
      },
      {
        question: 'Why was my prompt refused?',
        answer: (
          <>
            Content is moderated, because it carries a real person’s name. Sexual content, anything suggestive about
            minors, abuse of real people, hate and self-harm are refused before anything is charged. The{' '}
            <Link to="/community-guidelines" className={link}>
              Community Guidelines
            </Link>{' '}
            say more. If a harmless prompt was refused, rephrase it or write to us.
          </>
        ),
      },
      {
        question: 'What if an image fails or takes too long?',
        answer:
          'Then it costs nothing. When a generation fails, is cancelled or is not finished after 15 minutes, the credits go back by themselves, to the same kind they came from. You can cancel three seconds after the start.',
      },
      {
        question: 'Why is there a watermark?',
        answer:
          'Every image carries a small mark, so that it can be told apart from a photograph and traced to where it was made.',
      },
    ],
  },
  {
    title: 'Credits',
    questions: [
      { question: 'What does an image cost?', answer: IMAGE_PRICE },
      {
        question: 'Which credits are there?',
        answer:
          'Daily credits are granted once a day and lapse at midnight UTC. Bonus credits, such as the 30 at sign-up, and purchased credits stay. Daily credits are spent first, then bonus, then purchased ones.',
      },
      {
        question: 'Where do I buy credits?',
        answer: (
          <>
            On{' '}
            <Link to="/purchase-credits" className={link}>
              Purchase Credits
            </Link>
            . They are available as soon as the payment is confirmed.
          </>
        ),
      },
      { question: 'Do purchased credits expire?', answer: 'No.' },
    ],
  },
  {
    title: 'Creators',
    questions: [
      {
        question: 'How do creators earn?',
        answer:
          'Half of what a fan paid for the credits of an image goes to its creator, at the moment the image is delivered. Images made with free credits pay nobody, and neither do creators’ own images in their own style. When a fan’s payment is returned, its half is taken back.',
      },
      {
        question: 'I am a creator. How do I join?',
        answer: (
          <>
            Apply on the{' '}
            <Link to="/creator" className={link}>
              creator page
            </Link>
            , or write to <SupportLink />. You keep the rights to your likeness, and you can leave at any time.
          </>
        ),
      },
      {
        question: 'What does “Creator Archived” mean?',
        answer:
          'The creator offers no images on Fanvas now. Images that were made stay where they are; new ones cannot be created. When a creator leaves Fanvas, each image is visible only to the fan who made it.',
      },
    ],
  },
  {
    title: 'Fan Gallery',
    questions: [
      {
        question: 'How does an image get into a creator’s gallery?',
        answer:
          'The gallery is curated by our moderators, who choose from what fans create. You cannot buy a place in it.',
      },
      {
        question: 'Who can see my images?',
        answer:
          'A finished image can be seen by anyone who has its link, and by everyone once it is in the gallery. While it is being made, and if it fails, only you can see it.',
      },
    ],
  },
  {
    title: 'Support',
    questions: [
      {
        question: 'How do I download my data or close my account?',
        answer: (
          <>
            On{' '}
            <Link to="/account" className={link}>
              Account
            </Link>
            . The download contains your images, prompts, credits and purchases. Closing erases your images and personal
            data for good; the{' '}
            <Link to="/privacypolicy#closing-your-account" className={link}>
              Privacy Policy
            </Link>{' '}
            names what must be kept.
          </>
        ),
      },
      {
        question: 'How do I reach you?',
        answer: (
          <>
            By e-mail: <SupportLink />. If it is about a payment or an image, tell us its link or the date; never send
            card numbers.
          </>
        ),
      },
    ],
  },
];

export default function FaqPage(): React.ReactNode {
  return (
    <div className="wrap pt-1 sm:pt-3">
      <title>FAQ · Fanvas</title>
      <h1 className="display text-[3.25rem] sm:text-[4.5rem]">FAQ</h1>
      <p className="mt-5 max-w-[64ch] text-18 text-ink-2">
        What people ask us, in the order in which they usually ask it.
      </p>
      <div className="mt-8 border-t border-line sm:mt-12">
        {SECTIONS.map(({ title, questions }) => (
          <section
            key={title}
            aria-labelledby={`faq-${slug(title)}`}
            className="gap-16 border-b border-line py-7 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <h2 id={`faq-${slug(title)}`} className="display-sm mb-3 text-24 lg:mb-0 lg:pt-2">
              {title}
            </h2>
            <div className="max-w-[68ch] divide-y divide-line">
              {questions.map(({ question, answer }) => (
                <details key={question} className="group">
                  <summary className="flex min-h-12 list-none items-center justify-between gap-4 py-2 text-16 font-[560] hover:text-seal-text [&::-webkit-details-marker]:hidden">
                    <span>{question}</span>
                    <Plus
                      aria-hidden
                      className="size-5 shrink-0 text-ink-3 transition-transform duration-200 group-open:rotate-45 motion-reduce:transition-none"
                    />
                  </summary>
                  <p className="pb-5 text-16 text-ink-2">{answer}</p>
                </details>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function SingleKeys(): React.ReactNode {
  const [off, turnOff] = useSingleKeysOff();
  return (
    <span className="mt-3 block noscript:hidden">
      <Switch label="Single keys" checked={!off} onChange={(on) => turnOff(!on)} />
    </span>
  );
}
