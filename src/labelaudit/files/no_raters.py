"""What names of columns and rows say: of no rater, of all raters, of sums."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

GOLD = """
gold golden goldlabel goldstandard truth groundtruth final finallabel finaldecision
majority majorityvote majoritylabel consensus adjudicated adjudication adjudicator
resolved resolution aggregated aggregate reference correct
goldstandard wahrheit referenz endurteil endgultig mehrheit mehrheitslabel konsens
mehrheitsentscheid musterlosung schiedsurteil
verite reference definitif definitive majorite majoritaire adjuge consensuel
oro verdad referencia definitivo definitiva mayoria mayoritario mayoritaria consenso
adjudicado adjudicada resuelto
"""
OTHER = """
total totals subtotal sum sums votes nvotes numvotes average avg mean median stddev
agreement kappa comment comments remark remarks notiz freetext text texts sentence
utterance tweet url link date datetime timestamp duration created updated rationale
explanation reason
gesamt insgesamt summe anzahl stimmen mittelwert durchschnitt kommentar kommentare
bemerkung bemerkungen anmerkung anmerkungen hinweis notizen satz datum ubereinstimmung
begrundung
somme totaux moyenne mediane commentaire commentaires remarque remarques texte phrase
nombre accord justification
suma totales votos promedio media mediana comentario comentarios observacion
observaciones texto frase oracion fecha acuerdo
"""
WHOLE = "id # nr index time title note notes nota notas"
TIMES = "n count counts times freq freqs frequency weight weights haufigkeit anzahl"
GOLD_CJK = """
金标准 黄金标准 标准答案 正确答案 真值 多数 最终 共识 一致 仲裁 裁定 参考答案
正解 多数決 最終 合意 合議 ゴールド 裁定 模範解答
골드 정답 다수결 다수 최종 합의 조정 판정
"""
OTHER_CJK = """
合计 总计 总数 总和 求和 票数 平均 备注 评论 注释 意见 说明 文本 句子 时间 日期 数量
合計 総計 総数 票数 コメント 備考 メモ 注記 テキスト 本文 文章 日付
합계 총계 총합 총점 득표 평균 댓글 코멘트 비고 메모 의견 텍스트 본문 문장 날짜
"""
RATERS = """
rater raterid annotator annotatorid worker workerid coder coderid labeler labeller judge
assessor ratedby annotatedby labeledby labelledby turker user userid username
raters annotators workers coders judges users
annotierer bewerter annotateur evaluateur anotador anotadora evaluador evaluadora
"""
RATERS_CJK = "标注者 标注员 评分者 작업자 평가자 주석자 評価者 作業者 注釈者"
LABELS = """
label labels annotation annotations answer response judgment judgement rating class
category value score vote choice etikett bewertung etiquette reponse etiqueta respuesta
"""
LABELS_CJK = "标签 标注 라벨 레이블 평가 ラベル 評価"
SUMS = """
total totals subtotal sum sums gesamt insgesamt summe somme totaux suma totales overall
"""
SUMS_CJK = "合计 总计 总数 总和 小计 合計 総計 小計 합계 총계 총합 소계"


def _folded(text: str) -> str:
    """Small letters without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


@cache
def _listed(words: str) -> frozenset[str]:
    return frozenset(map(_folded, words.split()))


def _called(name: str, words: str, parts: str) -> bool:
    """Whether a word of a name is one of these, or some letters of it are."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    tokens = re.findall(r"[^\W\d_]+", _folded(spaced))
    known = _listed(words)
    if "".join(tokens) in known or not known.isdisjoint(tokens):
        return True
    folded = _folded(name)
    return not folded.isascii() and any(part in folded for part in _listed(parts))


def is_gold(name: str) -> bool:
    """Whether a column's name says that it has the right labels, or a majority's."""
    return _called(name, GOLD, GOLD_CJK)


def is_other(name: str) -> bool:
    """Whether a column's name says that it has no labels at all."""
    known = f"{WHOLE} {TIMES}".split()
    return _folded(name) in known or _called(name, OTHER, OTHER_CJK)


def is_rater(name: str) -> bool:
    """Whether a column's name says that it has who judged."""
    return _called(name, RATERS, RATERS_CJK)


def is_label(name: str) -> bool:
    """Whether a column's name says that it has judgments."""
    return _called(name, LABELS, LABELS_CJK)


def is_times(name: str) -> bool:
    """Whether a column's name says that it counts."""
    return _folded(name) in TIMES.split()


def is_sums(name: str) -> bool:
    """Whether a row's name says that it has sums."""
    return _called(name, SUMS, SUMS_CJK)
