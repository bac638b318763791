"""The one exception for what a user can put right."""


class Refused(Exception):  # noqa: N818 (it is no error of ours)
    """A call that cannot be carried out; its text is one sentence for the user."""
