import { MessageSquare } from 'lucide-react';
import { useId, useState } from 'react';
import { APPLICATION_TEXT_MAX_LENGTH, type ApplicantQuestion } from '../../../../../src/contract/applications.js';
import { Button } from '../../../components/button.js';
import { ownDataTimings } from '../../../lib/own-data-timings.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { problemOf } from '../../../lib/problem-of.js';

/** The questions of reviewers to an applicant, with a field for the answer. */
export function ApplicantQuestions(): React.ReactNode {
  const { data: questions = [] } = useRpc('get_own_questions_by_jwt', {}, ownDataTimings);
  return questions.map((question) => <Question key={question.id} question={question} />);
}

function Question({ question }: { readonly question: ApplicantQuestion }): React.ReactNode {
  const id = useId();
  const [answer, setAnswer] = useState('');
  const send = useRpcEffect('answer_own_question_by_jwt', ['get_own_questions_by_jwt']);
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="mt-6 flex max-w-[600px] gap-3 rounded-ctl border border-line bg-surface px-4 py-3.5 text-14"
    >
      <MessageSquare aria-hidden className="mt-px size-[18px] shrink-0" />
      <div className="min-w-0 flex-1">
        <h2 id={`${id}-title`} className="text-ink-2">
          {question.answer === null ? 'The reviewer asks' : 'The reviewer asked'}
        </h2>
        <p className="whitespace-pre-line break-words">{question.question}</p>
        {question.answer === null ? (
          <form
            className="mt-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (answer.trim() !== '') send.mutate({ p_question_id: question.id, p_answer: answer });
            }}
          >
            <label htmlFor={id} className="block font-[600]">
              Your answer
            </label>
            <textarea
              id={id}
              rows={3}
              maxLength={APPLICATION_TEXT_MAX_LENGTH}
              value={answer}
              aria-describedby={`${id}-count`}
              onChange={(event) => setAnswer(event.target.value)}
              className="mt-1.5 block w-full resize-y rounded-ctl border border-line-strong bg-bg px-3.5 py-2.5 text-16"
            />
            <div className="mt-2 flex items-center justify-between gap-4">
              <span id={`${id}-count`} className="text-13 tabular-nums text-ink-2">
                {answer.length} / {APPLICATION_TEXT_MAX_LENGTH}
              </span>
              <Button
                type="submit"
                kind="solid"
                disabled={answer.trim() === ''}
                busy={send.isPending}
                busyLabel="Sending..."
              >
                Send answer
              </Button>
            </div>
            {send.error !== null && (
              <p role="alert" className="mt-2 text-bad">
                {problemOf(send.error)}
              </p>
            )}
          </form>
        ) : (
          <>
            <p className="mt-2 text-ink-2">Your answer</p>
            <p className="whitespace-pre-line break-words">{question.answer}</p>
          </>
        )}
      </div>
    </section>
  );
}
