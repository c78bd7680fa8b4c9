import { Link } from '@tanstack/react-router';
import { Notice } from '../ui/view-states.js';

export function NotFoundPage() {
  return (
    <Notice
      icon="search"
      title="There is no such page"
      action={
        <Link className="button" to="/">
          Go to the home page
        </Link>
      }
    >
      The address may be mistyped, or from another version of the console.
    </Notice>
  );
}
