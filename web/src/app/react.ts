// A chunk of its own, which runs in a task before the code of the app (see boot.ts).
import 'react-dom/client';
