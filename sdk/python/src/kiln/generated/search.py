# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Literal, Mapping, Optional, Sequence

from ..core.options import RequestOptions
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from ..core.streams import AsyncStream, Stream
from .models import AnswerEvent, AnswerQuestionResponse, SearchResponse, answer_event_from_json
from .params import (
    QuestionRequestAnswerFormat,
    QuestionRequestHistory,
    SearchRequestHybrid,
    SearchRequestRecency,
)


class Search(Resource):
    def query(
        self,
        *,
        query: str,
        mode: Optional[Literal["text", "vector", "hybrid"]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        limit: Optional[int] = None,
        group: Optional[Literal["file", "chunk"]] = None,
        max_per_file: Optional[int] = None,
        hybrid: Optional[SearchRequestHybrid] = None,
        recency: Optional[SearchRequestRecency] = None,
        rerank: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> SearchResponse:
        """Search the content of files.

        Needs the scope `search:read`.

        `POST /v1/search`
        """
        request = Request(
            "POST",
            "/v1/search",
            body=body_of({
                "query": query,
                "mode": mode,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "limit": limit,
                "group": group,
                "max_per_file": max_per_file,
                "hybrid": hybrid,
                "recency": recency,
                "rerank": rerank,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, SearchResponse.from_json, options))

    def ask(
        self,
        *,
        question: str,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[QuestionRequestHistory]] = None,
        model: Optional[str] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[QuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AnswerQuestionResponse:
        """Answer a question from files.

        Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.

        Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.

        With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.

        Needs the scope `search:read`.

        `POST /v1/qa`
        """
        request = Request(
            "POST",
            "/v1/qa",
            body=body_of({
                "question": question,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "model": model,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_keyed=True,
            is_slow=True,
        )
        return run(self._core.json(request, AnswerQuestionResponse.from_json, options))

    def ask_stream(
        self,
        *,
        question: str,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[QuestionRequestHistory]] = None,
        model: Optional[str] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[QuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> Stream[AnswerEvent]:
        """The same, as the parts of the answer arrive."""
        request = Request(
            "POST",
            "/v1/qa",
            body=body_of({
                "question": question,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "model": model,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_keyed=True,
            is_slow=True,
        )
        return Stream(self._core.events(request, answer_event_from_json, options))


class AsyncSearch(AsyncResource):
    async def query(
        self,
        *,
        query: str,
        mode: Optional[Literal["text", "vector", "hybrid"]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        limit: Optional[int] = None,
        group: Optional[Literal["file", "chunk"]] = None,
        max_per_file: Optional[int] = None,
        hybrid: Optional[SearchRequestHybrid] = None,
        recency: Optional[SearchRequestRecency] = None,
        rerank: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> SearchResponse:
        """Search the content of files.

        Needs the scope `search:read`.

        `POST /v1/search`
        """
        request = Request(
            "POST",
            "/v1/search",
            body=body_of({
                "query": query,
                "mode": mode,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "limit": limit,
                "group": group,
                "max_per_file": max_per_file,
                "hybrid": hybrid,
                "recency": recency,
                "rerank": rerank,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, SearchResponse.from_json, options)

    async def ask(
        self,
        *,
        question: str,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[QuestionRequestHistory]] = None,
        model: Optional[str] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[QuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AnswerQuestionResponse:
        """Answer a question from files.

        Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.

        Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.

        With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.

        Needs the scope `search:read`.

        `POST /v1/qa`
        """
        request = Request(
            "POST",
            "/v1/qa",
            body=body_of({
                "question": question,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "model": model,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_keyed=True,
            is_slow=True,
        )
        return await self._core.json(request, AnswerQuestionResponse.from_json, options)

    def ask_stream(
        self,
        *,
        question: str,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[QuestionRequestHistory]] = None,
        model: Optional[str] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[QuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncStream[AnswerEvent]:
        """The same, as the parts of the answer arrive."""
        request = Request(
            "POST",
            "/v1/qa",
            body=body_of({
                "question": question,
                "space": space,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "model": model,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_keyed=True,
            is_slow=True,
        )
        return AsyncStream(self._core.events(request, answer_event_from_json, options))
