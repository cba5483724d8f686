"""The client: the groups of operations, with one sign-in."""

from __future__ import annotations

from typing import Callable, Optional, Union

from .operations import Operations
from .transport import Transport


class Client(Operations):
    """`url` is the service's; `token` a personal access token, or a function that gives one."""

    def __init__(
        self,
        url: str,
        token: Union[str, Callable[[], str], None] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        on_warning: Optional[Callable[[str], None]] = None,
    ) -> None:
        super().__init__(Transport(url, token, timeout=timeout, retries=retries, on_warning=on_warning))
