import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { KeyedSearchField } from './search-field.js';

interface FindFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** For the width. */
  readonly className: string;
  /** The page that finds a text. */
  readonly pathOf: (text: string) => string;
}

/** The field in the head of an area that opens its page of found things. */
export function FindField({ pathOf, className, ...field }: FindFieldProps): React.ReactNode {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  return (
    <form
      role="search"
      className={`relative ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted === '') return;
        setText('');
        void navigate(pathOf(wanted));
      }}
    >
      <KeyedSearchField
        {...field}
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onText={setText}
      />
    </form>
  );
}
